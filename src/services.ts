import { randomBytes } from 'node:crypto'

import type { Pool } from 'pg'

import type { Config } from './config/config.ts'
import { createIdempotencyStore } from './db/idempotency-store.ts'
import { createPool } from './db/pool.ts'
import { createAuth } from './domain/auth/auth.ts'
import { findActorById } from './domain/auth/find-actor.ts'
import { createLoginLimiter } from './domain/auth/login-limiter.ts'
import { ForbiddenException } from './errors/index.ts'
import { STORED_JOBS } from './http/jobs/index.ts'
import type { HttpServices } from './http/services.ts'
import type { Logger } from './observability/logger.ts'
import { JobRecords } from './jobs/job-records.ts'
import { createJobs } from './jobs/jobs.ts'
import { openJobQueue } from './jobs/queue.ts'
import { createMetrics } from './observability/metrics.ts'
import { keptSecret } from './security/kept-secret.ts'
import { createPasswords } from './security/passwords.ts'
import { type JobHandler, startJobSweep, startWorker } from './jobs/worker.ts'
import { createTokens, type TokenOptions } from './security/tokens.ts'

export interface Services extends AsyncDisposable {
  readonly http: HttpServices
  /** Takes queued jobs until it is disposed of. */
  startWorker(): Promise<AsyncDisposable>
}

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
  const tokens = createTokens(await tokenOptions(config))
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

  const jobParts = { pool, records, queue, heartbeatMs, logger }
  opened.use(startJobSweep(jobParts))
  const resources = opened.move()
  return {
    http: services,
    startWorker: () =>
      startWorker({
        ...jobParts,
        concurrency: config.jobs.concurrency,
        handlers: jobHandlers(pool, services),
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** A queued job acts for its owner, with the rights they have when it runs. */
function jobHandlers(pool: Pool, services: HttpServices): Record<string, JobHandler> {
  return Object.fromEntries(
    STORED_JOBS.map((job) => [
      job.kind,
      async ({ input, ownerId }, context) => {
        const owner = await findActorById(pool, ownerId)
        if (!owner) throw new ForbiddenException('The owner of the job may not act any more')
        return job.run(input, owner, context, services)
      },
    ]),
  )
}

export async function tokenOptions({ auth, dataDir }: Config): Promise<TokenOptions> {
  const make = () => randomBytes(48).toString('base64url')
  return {
    keys:
      auth.keys.kind === 'jwks'
        ? auth.keys
        : {
            kind: 'secret',
            secret: auth.keys.secret ?? (await keptSecret(dataDir, 'auth-secret', make)),
          },
    issuer: auth.issuer,
    audience: auth.audience,
    ttlMs: auth.tokenTtlMs,
  }
}

async function answers(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  )
}
