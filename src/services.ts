import { randomBytes } from 'node:crypto'

import type { Config } from './config/config.ts'
import { createIdempotencyStore } from './db/idempotency-store.ts'
import { createPool } from './db/pool.ts'
import { createAuth } from './domain/auth/auth.ts'
import { createLoginLimiter } from './domain/auth/login-limiter.ts'
import type { HttpServices } from './http/services.ts'
import type { Logger } from './observability/logger.ts'
import { JobRecords } from './jobs/job-records.ts'
import { createJobs } from './jobs/jobs.ts'
import { openJobQueue } from './jobs/queue.ts'
import { createMetrics } from './observability/metrics.ts'
import { keptSecret } from './security/kept-secret.ts'
import { createPasswords } from './security/passwords.ts'
import { createTokens, type TokenKeys } from './security/tokens.ts'

export interface Services extends HttpServices, AsyncDisposable {}

/** The only place that constructs adapters. What is opened last is closed first. */
export async function createServices(
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<Services> {
  await using opened = new AsyncDisposableStack()

  const pool = opened.adopt(
    createPool(databaseUrl, {
      max: config.databasePool,
      onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    }),
    (open) => open.end(),
  )
  const tokens = createTokens({
    keys: await tokenKeys(config),
    issuer: config.auth.issuer,
    audience: config.auth.audience,
    ttlMs: config.auth.tokenTtlMs,
  })
  const records = new JobRecords(pool)
  const queue = opened.adopt(await openJobQueue(databaseUrl, logger), (open) => open.close())
  const { heartbeatMs } = config.jobs
  const services: HttpServices = {
    auth: createAuth({
      pool,
      tokens,
      passwords: createPasswords(),
      limiter: createLoginLimiter(pool, config.auth.loginLimit),
      loginEnabled: config.auth.login,
    }),
    idempotency: createIdempotencyStore(pool),
    jobs: createJobs({ pool, records, queue, heartbeatMs }),
    metrics: createMetrics(),
    health: {
      check: async () => ({ database: await answers(pool.query('select 1')) }),
    },
  }

  const resources = opened.move()
  return Object.assign(services, {
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  })
}

async function tokenKeys({ auth, dataDir }: Config): Promise<TokenKeys> {
  if (auth.keys.kind === 'jwks') return auth.keys
  const make = () => randomBytes(48).toString('base64url')
  return {
    kind: 'secret',
    secret: auth.keys.secret ?? (await keptSecret(dataDir, 'auth-secret', make)),
  }
}

async function answers(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  )
}
