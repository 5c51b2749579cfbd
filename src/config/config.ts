import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

import { isThisMachine } from '../this-machine.ts'
import { SettingError } from './parse.ts'
import { settingText } from './setting-text.ts'
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts'

/** The checked settings, as the choices of the service. Nothing else reads the environment. */
export type Config = ReturnType<typeof readConfig>

/** Reports all wrong settings at once, so that they can be fixed together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`These settings are wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}

export function readConfig(environment: NodeJS.ProcessEnv) {
  const problems: string[] = []
  const values = readValues(environment, problems)
  const embedded = values.DATABASE_URL === null
  const dataDir = resolve(values.DATA_DIR)
  const keepsFiles = embedded || values.S3_BUCKET === null

  const need = (name: SettingName, why: string) => {
    if (values[name] === null) problems.push(`${name} is required ${why}`)
  }
  if (!embedded) {
    need('ENCRYPTION_KEYS', 'when DATABASE_URL is set')
    if (values.AUTH_JWKS_URL === null) need('AUTH_SECRET', 'when DATABASE_URL is set')
  }
  if (values.AUTH_JWKS_URL !== null && values.AUTH_SECRET !== null) {
    problems.push('AUTH_SECRET and AUTH_JWKS_URL exclude each other: set only one of them')
  }
  const goesWith = (name: SettingName, other: SettingName) => {
    if (values[other] !== null) need(name, `with ${other}`)
  }
  goesWith('S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID')
  goesWith('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  goesWith('DATABASE_URL', 'DATABASE_SESSION_URL')
  goesWith('S3_BUCKET', 'S3_ENDPOINT')
  goesWith('S3_BUCKET', 'S3_PUBLIC_ENDPOINT')
  if (problems.length > 0) throw new ConfigError(problems)

  return Object.freeze({
    embedded,
    /** Nothing says that anybody but the people at this machine may be served. */
    onlyForThisMachine:
      embedded && isThisMachine(values.HOST) && values.PUBLIC_URL === null && !values.TRUST_PROXY,
    dataDir,
    startTimeoutMs: values.START_TIMEOUT,
    /**
     * Temporary files of loads. They are kept next to the permanent files, whose disk was chosen
     * for its size.
     */
    temporary: keepsFiles
      ? { folder: resolve(dataDir, 'tmp'), setting: 'DATA_DIR' as const }
      : { folder: tmpdir(), setting: 'TMPDIR' as const },
    server: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
      trustProxy: values.TRUST_PROXY,
      language: values.LANGUAGE,
      corsOrigins: values.CORS_ORIGINS,
      maxBodyBytes: values.MAX_BODY_SIZE,
      maxUploadBytes: values.MAX_UPLOAD_SIZE,
      documentsQuotaBytes: values.DOCUMENTS_QUOTA,
      uploadIdleTimeoutMs: values.UPLOAD_IDLE_TIMEOUT,
      maxUploads: values.MAX_UPLOADS,
      shutdownDelayMs: values.SHUTDOWN_DELAY,
      shutdownGraceMs: values.SHUTDOWN_GRACE,
    },
    database:
      values.DATABASE_URL === null
        ? { kind: 'embedded' as const, folder: resolve(dataDir, 'postgres') }
        : {
            kind: 'external' as const,
            url: values.DATABASE_URL,
            sessionUrl: values.DATABASE_SESSION_URL ?? values.DATABASE_URL,
          },
    databasePool: values.DATABASE_POOL,
    statementTimeoutMs: values.STATEMENT_TIMEOUT,
    tableEngine: {
      name: values.TABLE_ENGINE,
      distributesFromBytes: values.CITUS_FROM_SIZE,
      shards: values.CITUS_SHARDS,
    },
    copyStreams: values.COPY_STREAMS,
    storage:
      values.S3_BUCKET === null
        ? { kind: 'local' as const, folder: resolve(dataDir, 'objects'), bucket: 'documents' }
        : {
            kind: 's3' as const,
            bucket: values.S3_BUCKET,
            endpoint: values.S3_ENDPOINT,
            publicEndpoint: values.S3_PUBLIC_ENDPOINT,
            region: values.S3_REGION,
            forcePathStyle: values.S3_FORCE_PATH_STYLE,
            credentials:
              values.S3_ACCESS_KEY_ID === null || values.S3_SECRET_ACCESS_KEY === null
                ? null
                : {
                    accessKeyId: values.S3_ACCESS_KEY_ID,
                    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
                  },
          },
    downloadLinkTtlMs: values.DOWNLOAD_LINK_TTL,
    mail:
      values.SMTP_URL === null
        ? { kind: 'folder' as const, folder: resolve(dataDir, 'outbox'), from: values.MAIL_FROM }
        : {
            kind: 'smtp' as const,
            url: values.SMTP_URL,
            from: values.MAIL_FROM,
            allowClear: values.SMTP_ALLOW_CLEAR,
          },
    auth: {
      /** Null secret: created once and kept in DATA_DIR. */
      keys:
        values.AUTH_JWKS_URL === null
          ? { kind: 'secret' as const, secret: values.AUTH_SECRET }
          : {
              kind: 'jwks' as const,
              url: values.AUTH_JWKS_URL,
              algorithms: values.AUTH_ALGORITHMS,
            },
      issuer: values.AUTH_ISSUER,
      audience: values.AUTH_AUDIENCE,
      tokenTtlMs: values.TOKEN_TTL,
      login: values.AUTH_LOGIN && values.AUTH_JWKS_URL === null,
      loginLimit: values.LOGIN_LIMIT,
    },
    /** Null: created once and kept in DATA_DIR. */
    encryptionKeys: values.ENCRYPTION_KEYS,
    outbound: { allow: values.OUTBOUND_ALLOW, requestTimeoutMs: values.OUTBOUND_TIMEOUT },
    folderDeletionNoticeAfterMs: values.FOLDER_DELETE_NOTICE_AFTER,
    loadsKept: values.LOADS_KEPT,
    stagedLoadsTtlMs: values.STAGED_LOADS_TTL,
    jobsKeptMs: values.JOBS_KEPT,
    loadRecordsKeptMs: values.LOAD_RECORDS_KEPT,
    auditKeptMs: values.AUDIT_KEPT,
    runTablesKept: values.RUN_TABLES_KEPT,
    jobs: {
      worker: values.WORKER,
      port: values.WORKER_PORT,
      concurrency: values.WORKER_CONCURRENCY,
      heartbeatMs: values.JOB_HEARTBEAT,
      waitLimitMs: values.JOB_WAIT_LIMIT,
    },
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    log: { level: values.LOG_LEVEL, stream: values.LOG_STREAM },
  })
}

function readValues(environment: NodeJS.ProcessEnv, problems: string[]): SettingValues {
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    try {
      values[name] = readSetting(name, environment)
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      // The value itself is not shown: it may be a secret put into the wrong variable.
      problems.push(`${name} should be ${error.message}`)
    }
  }
  return values as SettingValues
}

/** Reads a single setting, for a command that needs no others. */
export function readSetting<Name extends SettingName>(
  name: Name,
  environment: NodeJS.ProcessEnv,
): SettingValues[Name] {
  const setting = SETTINGS[name]
  const text = settingText(name, environment) ?? setting.default
  return (text === null ? null : setting.parse(text)) as SettingValues[Name]
}
