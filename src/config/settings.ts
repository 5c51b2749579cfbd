import { parseEncryptionKeys } from '../security/encryption-keys.ts'
import { parseOutboundAllow } from '../security/outbound/allow-list.ts'
import * as parse from './parse.ts'

/**
 * A setting of the service: its name is its key, and `example.env` and the configuration guide are
 * generated from this table.
 */
export interface Setting<T> {
  readonly parse: parse.Parser<T>
  /** The text used if the variable is unset; null if the setting has no default. */
  readonly default: string | null
  readonly about: string
}

const setting = <T>(parser: parse.Parser<T>, defaultText: string, about: string) => ({
  parse: parser,
  default: defaultText,
  about,
})

const optional = <T>(parser: parse.Parser<T>, about: string) => ({
  parse: parser,
  default: null,
  about,
})

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

const algorithms: parse.Parser<readonly string[]> = (text) => {
  const names = parse.list(text)
  // An empty list is refused like an unknown name.
  return (names.length === 0 ? [''] : names).map(parse.oneOf(JWT_ALGORITHMS))
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Lifetimes are only compared with, never waited for with a timer. */
const LONGEST_LIFETIME_MS = 3650 * DAY_MS
/** S3 signs links for no longer than this. */
const LONGEST_LINK_MS = 7 * DAY_MS

export const SETTINGS = {
  HOST: setting(parse.anyText, '127.0.0.1', 'Address to listen on'),
  PORT: setting(parse.integer(0, 65_535), '3000', 'Port to listen on; 0 picks a free one'),
  PUBLIC_URL: optional(
    parse.url('http:', 'https:'),
    'Address under which clients reach the service, used in links; default: the one it listens on',
  ),
  TRUST_PROXY: setting(
    parse.boolean,
    'false',
    'Trust X-Forwarded-For and X-Forwarded-Proto; only behind a proxy that sets them',
  ),
  LANGUAGE: setting(
    parse.language('fr'),
    'fr',
    'Language of answers and mails, fr or en, if Accept-Language asks for neither',
  ),
  CORS_ORIGINS: setting(parse.origins, '', 'Origins that browsers may call from, comma-separated'),
  DATA_DIR: setting(
    parse.anyText,
    './.data',
    'Folder for everything kept locally: embedded database, files, mails, generated secrets',
  ),

  DATABASE_URL: optional(
    parse.url('postgres:', 'postgresql:'),
    'PostgreSQL to use; unset: an embedded one in DATA_DIR',
  ),
  DATABASE_SESSION_URL: optional(
    parse.url('postgres:', 'postgresql:'),
    'Address of the same database that bypasses the pooler in DATABASE_URL; unset: there is no pooler',
  ),
  DATABASE_POOL: setting(
    parse.integer(2, 500),
    '20',
    'Most connections that a process opens for requests, loads and exports; it uses up to ten more for itself',
  ),
  STATEMENT_TIMEOUT: setting(
    parse.durationMs(1),
    '30s',
    'Time limit of a statement that answers a request; after that 503. Behind a pooler, set it there as well',
  ),
  TABLE_ENGINE: setting(
    parse.oneOf(['postgres', 'citus']),
    'postgres',
    'citus: large generated tables are distributed by the Citus extension',
  ),
  CITUS_FROM_SIZE: setting(
    parse.sizeBytes,
    '256MB',
    'A table is distributed by its first load of at least this size; smaller tables stay on the coordinator',
  ),
  CITUS_SHARDS: optional(
    parse.integer(1, 64_000),
    'Shards of a distributed table; unset: the setting of the cluster (citus.shard_count)',
  ),

  S3_BUCKET: optional(parse.anyText, 'Bucket for documents; unset: a folder in DATA_DIR'),
  S3_ENDPOINT: optional(parse.url('http:', 'https:'), 'Address of an S3-compatible server'),
  S3_PUBLIC_ENDPOINT: optional(
    parse.url('http:', 'https:'),
    'Address under which clients reach the S3 server, if it is a different one',
  ),
  S3_REGION: setting(parse.anyText, 'us-east-1', 'Region of the bucket'),
  S3_ACCESS_KEY_ID: optional(
    parse.anyText,
    'Access key of the bucket; unset: the AWS default credential chain',
  ),
  S3_SECRET_ACCESS_KEY: optional(parse.anyText, 'Secret that belongs to S3_ACCESS_KEY_ID'),
  S3_FORCE_PATH_STYLE: setting(
    parse.boolean,
    'false',
    'Put the name of the bucket in the path, as most S3-compatible servers need',
  ),

  SMTP_URL: optional(
    parse.url('smtp:', 'smtps:'),
    'Mail server; unset: mails are written as .eml files to DATA_DIR/outbox',
  ),
  SMTP_ALLOW_CLEAR: setting(
    parse.boolean,
    'false',
    'Send the password of SMTP_URL unencrypted to a server on another machine that offers no STARTTLS',
  ),
  MAIL_FROM: setting(
    parse.anyText,
    'Administration <no-reply@localhost>',
    'Sender of the mails that the service writes',
  ),

  AUTH_SECRET: optional(
    parse.secretOfAtLeast(32),
    'Shared secret of the tokens (HS256), at least 32 bytes; generated once in embedded mode',
  ),
  AUTH_JWKS_URL: optional(
    parse.url('http:', 'https:'),
    'Address of the keys of the identity provider that issues the tokens, instead of AUTH_SECRET',
  ),
  AUTH_ALGORITHMS: setting(
    algorithms,
    'RS256,ES256',
    'Signature algorithms accepted with AUTH_JWKS_URL',
  ),
  AUTH_ISSUER: optional(parse.anyText, 'Required value of the claim iss'),
  AUTH_AUDIENCE: optional(parse.anyText, 'Required value of the claim aud'),
  AUTH_LOGIN: setting(
    parse.boolean,
    'true',
    'Offer POST /auth/login; always off with AUTH_JWKS_URL',
  ),
  TOKEN_TTL: setting(
    parse.durationMs(1, LONGEST_LIFETIME_MS),
    '8h',
    'Lifetime of a token issued by the service',
  ),
  LOGIN_LIMIT: setting(
    parse.integer(1, 100_000),
    '10',
    'Failed sign-ins in 15 minutes before 429: this many for an account from one address, five times as many from one address, ten times as many for one account',
  ),

  ENCRYPTION_KEYS: optional(
    parse.readableBy(parse.anyText, 'id:base64 of 32 bytes, comma-separated', parseEncryptionKeys),
    'Master keys for stored API keys: id:base64 of 32 bytes, comma-separated, current first; generated once in embedded mode',
  ),

  OUTBOUND_ALLOW: setting(
    parse.readableBy(parse.list, 'hosts and networks, comma-separated', parseOutboundAllow),
    '',
    'Hosts (host or host:port) and networks (CIDR) that connections may reach in addition to public ones',
  ),
  OUTBOUND_TIMEOUT: setting(
    parse.durationMs(),
    '10s',
    'Time limit of a request to a remote application',
  ),

  MAX_BODY_SIZE: setting(parse.sizeBytes, '1MB', 'Largest JSON body'),
  MAX_UPLOAD_SIZE: setting(parse.sizeBytes, '10GB', 'Largest uploaded file'),
  DOCUMENTS_QUOTA: setting(
    parse.sizeBytes,
    '100GB',
    'Most bytes of documents that an enterprise keeps; who has no enterprise counts as one of their own',
  ),
  UPLOAD_IDLE_TIMEOUT: setting(
    parse.durationMs(),
    '30s',
    'A body that makes no progress for this long is cut off',
  ),
  MAX_UPLOADS: setting(
    parse.integer(1, 10_000),
    '32',
    'Uploads and loads that a process handles at once; at most a quarter for one user (429) and half for an enterprise; 503 if all are taken',
  ),
  DOWNLOAD_LINK_TTL: setting(
    parse.durationMs(1, LONGEST_LINK_MS),
    '5m',
    'Lifetime of a download link',
  ),
  FOLDER_DELETE_NOTICE_AFTER: setting(
    parse.durationMs(0),
    '30s',
    'A folder deletion that takes longer is announced by mail',
  ),
  LOADS_KEPT: setting(
    parse.integer(0, 20),
    '1',
    'Earlier states of a source that can be shown again; a source may say otherwise (`keepLoads`)',
  ),
  STAGED_LOADS_TTL: setting(
    parse.durationMs(1000, LONGEST_LIFETIME_MS),
    '24h',
    'How long a load that was not published is kept',
  ),
  JOBS_KEPT: setting(
    parse.durationMs(60_000, LONGEST_LIFETIME_MS),
    '90d',
    'How long jobs are kept on record after their end; those of workflow runs stay',
  ),
  LOAD_RECORDS_KEPT: setting(
    parse.durationMs(60_000, LONGEST_LIFETIME_MS),
    '365d',
    'How long a load is kept on record after its rows are gone or it failed',
  ),
  AUDIT_KEPT: setting(
    parse.durationMs(60_000, LONGEST_LIFETIME_MS),
    '400d',
    'How long the audit trail is kept in the database; what is older is written into the object storage before',
  ),
  RUN_TABLES_KEPT: setting(
    parse.integer(1, 1000),
    '5',
    'Number of recent runs of a workflow whose tables are kept',
  ),

  COPY_STREAMS: optional(
    parse.integer(1, 16),
    'COPY streams of one load; default: chosen for the server',
  ),
  WORKER: setting(parse.boolean, 'true', 'Run queued jobs in the API process too'),
  WORKER_PORT: optional(
    parse.integer(0, 65_535),
    'Port on which a process that is only a worker serves its health and metrics; unset: none',
  ),
  WORKER_CONCURRENCY: setting(parse.integer(1, 64), '2', 'Queued jobs that a process runs at once'),
  JOB_HEARTBEAT: setting(
    parse.durationMs(100),
    '5s',
    'Interval at which a process shows that it is alive; after three missed beats others take over its work',
  ),
  JOB_WAIT_LIMIT: setting(
    parse.durationMs(0, LONGEST_LIFETIME_MS),
    '24h',
    'A job that has waited longer than this for the database or the object storage fails',
  ),
  START_TIMEOUT: setting(
    parse.durationMs(0),
    '60s',
    'How long a start waits for the database and the object storage',
  ),
  SHUTDOWN_DELAY: setting(
    parse.durationMs(0),
    '0s',
    'Time after SIGTERM in which an API still answers everything and is not ready, so that a proxy turns away first',
  ),
  SHUTDOWN_GRACE: setting(
    parse.durationMs(0),
    '10s',
    'Time to finish running requests and jobs after SIGTERM',
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    parse.url('http:', 'https:'),
    'Address of a collector of OpenTelemetry that takes OTLP over HTTP; without it nothing is traced',
  ),
  LOG_LEVEL: setting(parse.oneOf(LOG_LEVELS), 'info', LOG_LEVELS.join(', ')),
  LOG_STREAM: setting(
    parse.oneOf(['stderr', 'stdout']),
    'stderr',
    'Where log lines go; commands that print a result always use stderr',
  ),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

type ValueOf<S> = S extends { readonly parse: parse.Parser<infer T>; readonly default: infer D }
  ? D extends null
    ? T | null
    : T
  : never

export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }
