import { randomBytes } from 'node:crypto'

import { createTokens } from '../../src/security/tokens.ts'
import { type ListeningProcess, listeningProcess } from './listening-process.ts'

export const SERVICE = new URL('../../src/start.js', import.meta.url)

export interface ServiceProcess extends ListeningProcess {
  /** Any user's, whoever made them. */
  tokenOf(userUuid: string): Promise<string>
}

/** What processes of one service share. */
export interface ServiceKeys {
  readonly secret: string
  readonly encryption: string
}

export const newKeys = (): ServiceKeys => ({
  secret: randomBytes(32).toString('hex'),
  encryption: `bench:${randomBytes(32).toString('base64')}`,
})

interface ServiceSettings {
  readonly keys?: ServiceKeys
  readonly environment?: Readonly<Record<string, string>>
}

/** The service as it runs, on a migrated database. */
export async function serviceProcess(
  databaseUrl: string,
  dataDir: string,
  { keys = newKeys(), environment = {} }: ServiceSettings = {},
): Promise<ServiceProcess> {
  const { secret } = keys
  const tokens = createTokens({
    keys: { kind: 'secret', secret },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })
  const listening = await listeningProcess(SERVICE, {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret,
    ENCRYPTION_KEYS: keys.encryption,
    ...environment,
  })
  return { ...listening, tokenOf: async (user) => (await tokens.issue(user)).token }
}
