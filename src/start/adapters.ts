import { hash, randomBytes } from 'node:crypto'

import { createEngine, type Engine } from '../../pipelines/index.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { createFormulairesConnector } from '../connectors/formulaires/connector.ts'
import { ConnectorRegistry } from '../connectors/registry.ts'
import { openFolder } from './writable-folder.ts'
import type { Logger } from '../observability/logger.ts'
import type { Mailer } from '../notifications/mailer.ts'
import { createOutboxMailer } from '../notifications/outbox-mailer.ts'
import {
  EncryptionKeysError,
  generateEncryptionKey,
  parseEncryptionKeys,
} from '../security/encryption-keys.ts'
import type { Presence } from '../processes/presence.ts'
import { keptSecret, replaceKeptSecret } from '../security/kept-secret.ts'
import { parseOutboundAllow } from '../security/outbound/allow-list.ts'
import { serviceVersion } from './version.ts'
import { createTraces, traceHeaders, type Traces } from '../observability/traces.ts'
import { createOutboundHttp } from '../security/outbound/http.ts'
import { createSecretBox, type SecretBox, type SecretBoxProvider } from '../security/secret-box.ts'
import { createLocalLinks, type LocalLinks } from '../storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../storage/local/open-local-store.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { waitUntilThere } from './wait-until-there.ts'
import type { TokenOptions } from '../security/tokens.ts'
import { StartError } from './start-error.ts'
import { httpStatusOf } from '../storage/s3/translate-s3-error.ts'
import { StorageError } from '../storage/storage-error.ts'

/**
 * Creates the implementations that the settings choose for the ports of the domain. Large packages
 * are only loaded if they are chosen.
 */

const ENCRYPTION_KEYS_FILE = 'encryption-keys'

type Storage =
  | { readonly kind: 'local'; readonly store: LocalStore; readonly links: LocalLinks }
  | { readonly kind: 's3'; readonly store: ObjectStore }

export async function openStorage(
  config: Config,
  publicBaseUrl: () => string,
  presence?: Presence,
): Promise<Storage> {
  if (config.storage.kind === 's3') {
    const { createS3Store } = await import('../storage/s3/create-s3-store.ts')
    return { kind: 's3', store: createS3Store(config.storage) }
  }
  const { bucket } = config.storage
  const folder = await openFolder(config.storage.folder, 'DATA_DIR')
  const links = createLocalLinks({ secret: await linkSecret(config), publicBaseUrl })
  const store = await openLocalStore({
    folder,
    bucket,
    links,
    ...(presence && { processId: () => presence.processId }),
  })
  return { kind: 'local', store, links }
}

/** Only a server is waited for: a folder exists, or creating it has failed. */
export async function waitForStorage(
  config: Config,
  { kind, store }: Storage,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  if (kind === 'local') return
  try {
    await waitUntilThere(() => store.ping(signal), {
      what: 'the object storage of S3_ENDPOINT and S3_BUCKET',
      isAway: (error) => !isRefusal(error),
      limitMs: config.startTimeoutMs,
      logger,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw storageFailure(error)
  }
}

/** Nothing waits for a mail server, since a mail that cannot be sent makes nothing fail. */
export function tellOfMailServer(mailer: Mailer, logger: Logger): void {
  mailer.check().catch((error: unknown) => {
    logger.warn({ err: error }, 'mails cannot be sent: check SMTP_URL')
  })
}

export async function openMailer({ mail }: Config, logger: Logger): Promise<Mailer> {
  if (mail.kind === 'smtp') {
    const { createSmtpMailer } = await import('../notifications/smtp-mailer.ts')
    return createSmtpMailer(mail)
  }
  try {
    await openFolder(mail.folder, 'DATA_DIR')
  } catch (error) {
    // A mail that cannot be written makes nothing fail; the service works without.
    logger.warn({ err: error }, 'mails cannot be written: set SMTP_URL, or DATA_DIR to a folder')
  }
  return createOutboxMailer(mail)
}

/** Kept keys are read each time, since `keys rotate` may add a new one while the service runs. */
export function openSecretBox({ encryptionKeys, dataDir }: Config): SecretBoxProvider {
  let opened: { keys: string; box: SecretBox } | null = null
  return async () => {
    const keys = encryptionKeys ?? (await keptEncryptionKeys(dataDir))
    if (opened?.keys !== keys) {
      opened = { keys, box: createSecretBox(readKeys(keys)) }
    }
    return opened.box
  }
}

const keptEncryptionKeys = (dataDir: string): Promise<string> =>
  keptSecret(dataDir, ENCRYPTION_KEYS_FILE, () => generateEncryptionKey('made'))

/** Puts a new master key before the kept ones, which can still decrypt what they encrypted. */
export async function addKeptEncryptionKey(dataDir: string): Promise<void> {
  const id = `made-${randomBytes(6).toString('hex')}`
  const keys = `${generateEncryptionKey(id)},${await keptEncryptionKeys(dataDir)}`
  await replaceKeptSecret(dataDir, ENCRYPTION_KEYS_FILE, keys)
}

/** Null: nobody collects them. */
export const openTraces = ({ tracesEndpoint: endpoint }: Config, logger: Logger): Traces | null =>
  endpoint === null ? null : createTraces({ endpoint, version: serviceVersion(), logger })

export function openConnectors(
  { outbound }: Config,
  alsoAllowed: readonly string[],
): { registry: ConnectorRegistry; close(): Promise<void> } {
  const allowed = [...outbound.allow, ...alsoAllowed]
  const http = createOutboundHttp({
    allow: parseOutboundAllow(allowed),
    requestTimeoutMs: outbound.requestTimeoutMs,
    headers: traceHeaders,
  })
  return {
    registry: new ConnectorRegistry([createFormulairesConnector({ http })]),
    close: () => http.close(),
  }
}

/** The file with the keys may have been damaged. */
function readKeys(keys: string): ReturnType<typeof parseEncryptionKeys> {
  try {
    return parseEncryptionKeys(keys)
  } catch (error) {
    if (!(error instanceof EncryptionKeysError)) throw error
    throw new ConfigError([`ENCRYPTION_KEYS: ${error.message}`])
  }
}

export async function openEngine({ temporary, copyStreams }: Config): Promise<Engine> {
  const tempDir = await openFolder(temporary.folder, temporary.setting)
  return createEngine({ tempDir, ...(copyStreams !== null && { streams: copyStreams }) })
}

export async function tokenOptions({ auth, dataDir }: Config): Promise<TokenOptions> {
  const keys =
    auth.keys.kind === 'jwks'
      ? auth.keys
      : {
          kind: 'secret' as const,
          secret: auth.keys.secret ?? (await madeSecret(dataDir, 'auth-secret')),
        }
  return { keys, issuer: auth.issuer, audience: auth.audience, ttlMs: auth.tokenTtlMs }
}

/** Without it, whatever the provider signs for one of its other applications opens this one, too. */
export function tellOfMissingAudience({ auth }: Config, logger: Logger): void {
  if (auth.keys.kind !== 'jwks' || auth.audience !== null) return
  logger.warn(
    'AUTH_AUDIENCE is not set: a token that the identity provider has issued for any of its ' +
      'applications is accepted here. Set it to the audience that is reserved for this service',
  )
}

/**
 * All processes sign links with the same secret: one that they share, or one that one of them
 * created.
 */
async function linkSecret({ auth, encryptionKeys, dataDir }: Config): Promise<string> {
  const shared = auth.keys.kind === 'secret' ? auth.keys.secret : encryptionKeys
  if (shared === null) return madeSecret(dataDir, 'link-secret')
  return hash('sha256', `download links\n${shared}`)
}

const madeSecret = (folder: string, name: string) =>
  keptSecret(folder, name, () => randomBytes(48).toString('base64url'))

/** What a status of the server says about the settings. */
const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'The bucket of S3_BUCKET lies in another region than S3_REGION',
  400: 'The object storage does not understand us: check S3_ENDPOINT, S3_REGION and the S3 keys',
  401: 'The object storage refuses S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY',
  403:
    'The object storage refuses S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY, or does not let them ' +
    'use the bucket of S3_BUCKET',
  404: 'The object storage has no bucket of the name in S3_BUCKET',
}

/** Turns the failure of the first request into a sentence that names the setting to check. */
export function storageFailure(error: unknown): StartError {
  const sentence = BY_STATUS[httpStatusOf(error) ?? 0]
  if (sentence !== undefined) return new StartError(sentence, { cause: error })
  const message = error instanceof StorageError ? error.message : 'The object storage failed'
  return new StartError(`${message}: check S3_ENDPOINT`, { cause: error })
}

/** Wrong settings do not become right by waiting. */
export const isRefusal = (error: unknown): boolean =>
  Object.hasOwn(BY_STATUS, httpStatusOf(error) ?? 0)
