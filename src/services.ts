import type { Pool } from 'pg'

import {
  createMailer,
  openConnectors,
  openEngine,
  openSecretBox,
  openStorage,
  tokenOptions,
} from './adapters.ts'
import type { Config } from './config/config.ts'
import { createKnex } from './db/knex.ts'
import { createPool } from './db/pool.ts'
import { createAuth } from './domain/auth/auth.ts'
import { findActorById } from './domain/auth/find-actor.ts'
import { createLoginLimiter } from './domain/auth/login-limiter.ts'
import { createConnections } from './domain/connections/create-connections.ts'
import { createDocuments } from './domain/documents/create-documents.ts'
import { createSources } from './domain/sources/create-sources.ts'
import { createHousekeeping } from './domain/loads/housekeeping.ts'
import { dropUnused } from './domain/loads/drop-tables.ts'
import { Leases } from './domain/loads/leases.ts'
import type { LoadsParts } from './domain/loads/run-load.ts'
import { PATIENCE } from './domain/tables/switch-partitions.ts'
import { createFolders } from './domain/folders/create-folders.ts'
import { createRootDeletion } from './domain/folders/delete-root.ts'
import { createIdempotencyStore } from './domain/idempotency.ts'
import { createUploads } from './domain/uploads/create-uploads.ts'
import { createIngest } from './domain/ingest/create-ingest.ts'
import { openTableEngine } from './domain/tables/table-engine.ts'
import { createRunTables } from './domain/workflows/run-tables.ts'
import { createWorkflows } from './domain/workflows/create-workflows.ts'
import { ForbiddenException } from './errors/index.ts'
import { STORED_JOBS } from './http/jobs/index.ts'
import type { HttpServices } from './http/services.ts'
import type { Logger } from './observability/logger.ts'
import { JobRecords } from './jobs/job-records.ts'
import { createJobs } from './jobs/jobs.ts'
import { openJobQueue } from './jobs/queue.ts'
import { createMetrics } from './observability/metrics.ts'
import { createPasswords } from './security/passwords.ts'
import { type JobHandler, startWorker } from './jobs/worker.ts'
import { openPresence } from './processes/presence.ts'
import { Releases } from './processes/releases.ts'
import { startSweeper } from './processes/sweeper.ts'
import { createTokens } from './security/tokens.ts'
import { createLinkServer } from './storage/local/link-server.ts'
import type { ObjectStore } from './storage/object-store.ts'
import { listSweeps } from './sweeps.ts'

export interface Services extends AsyncDisposable {
  readonly http: HttpServices
  /** Links lead here until told otherwise; the address is known only once the service listens. */
  listeningOn(address: string): void
  /** Takes queued jobs until it is disposed of. */
  startWorker(): Promise<AsyncDisposable>
}

/** The only place that constructs adapters. What is opened last is closed first. */
export async function createServices(
  config: Config,
  databaseUrl: string,
  logger: Logger,
  /** Besides OUTBOUND_ALLOW: where the bundled forms application listens. */
  alsoAllowed: readonly string[] = [],
): Promise<Services> {
  await using opened = new AsyncDisposableStack()

  const share = shareConnections(config.databasePool)
  const knex = opened.adopt(createKnex(databaseUrl, { max: share.queries }), (open) =>
    open.destroy(),
  )
  const openPool = (max: number) =>
    opened.adopt(
      createPool(databaseUrl, {
        max,
        onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
      }),
      (open) => open.end(),
    )
  const pool = openPool(share.queries)
  const { heartbeatMs } = config.jobs
  const presence = opened.use(await openPresence({ databaseUrl, heartbeatMs }))
  const releases = new Releases()
  let ownAddress = config.server.publicUrl ?? `http://${config.server.host}:${config.server.port}`
  const storage = await openStorage(config, () => ownAddress)
  opened.defer(() => storage.store.close())
  const connectors = opened.adopt(openConnectors(config, alsoAllowed), (open) => open.close())
  const secretBox = openSecretBox(config)
  // Keys that cannot be read stop the start, not the first call that needs one.
  await secretBox()
  const tokens = createTokens(await tokenOptions(config))
  const records = new JobRecords(pool, presence)
  const queue = opened.adopt(await openJobQueue(databaseUrl, logger), (open) => open.close())
  const mailer = opened.adopt(createMailer(config), (open) => open.close())
  const idempotency = createIdempotencyStore({ pool, presence, releases })
  const uploads = createUploads({ pool, store: storage.store, logger, presence, releases })
  const connections = createConnections({
    knex,
    secretBox,
    registry: connectors.registry,
  })
  const documents = createDocuments({
    pool,
    knex,
    store: storage.store,
    uploads,
    presence,
    releases,
    downloadLinkTtlMs: config.downloadLinkTtlMs,
    maxUploadBytes: config.server.maxUploadBytes,
  })
  const tableEngine = await openTableEngine(config.tableEngine, pool)
  const ingest = createIngest({
    engine: await openEngine(config),
    pool: openPool(share.loads),
    concurrentLoads: share.concurrentLoads,
    documents,
    connections,
  })
  const leases = new Leases({ pool, presence, releases })
  const loads: LoadsParts = {
    pool,
    ingest,
    uploads,
    leases,
    releases,
    logger,
    tableEngine,
    patience: PATIENCE,
    loadsKept: config.loadsKept,
    housekeeping: opened.use(
      createHousekeeping({
        pool: openPool(1),
        tableEngine,
        dropUnused: (tableId) => dropUnused({ pool, logger }, tableId),
        logger,
      }),
    ),
  }
  const runTables = createRunTables({ pool, leases, logger, kept: config.runTablesKept })
  const services: HttpServices = {
    auth: createAuth({
      pool,
      tokens,
      passwords: createPasswords(),
      limiter: createLoginLimiter(pool, config.auth.loginLimit),
      loginEnabled: config.auth.login,
    }),
    connections,
    documents,
    folders: createFolders({ pool }),
    rootDeletion: createRootDeletion({
      pool,
      store: storage.store,
      mailer,
      logger,
      noticeAfterMs: config.folderDeletionNoticeAfterMs,
    }),
    idempotency,
    jobs: createJobs({
      pool,
      records,
      queue,
      releases,
      forget: async (kind, input) => {
        await STORED_JOBS.find((job) => job.kind === kind)?.forget?.(input, services)
      },
    }),
    uploadOrigin: async () => (storage.kind === 'local' ? null : linkOrigin(storage.store)),
    links: storage.kind === 'local' ? createLinkServer(storage.store, storage.links) : null,
    metrics: createMetrics(),
    sources: createSources({
      ...loads,
      knex,
      exportPool: openPool(share.exports),
      store: storage.store,
    }),
    workflows: createWorkflows({ ...loads, knex, runTables }),
    health: {
      check: async () => ({
        database: await answers(pool.query('select 1')),
        storage: await answers(storage.store.ping()),
      }),
    },
  }

  const sweeps = listSweeps({
    pool,
    uploads,
    documents,
    leases,
    logger,
    patience: PATIENCE,
    stagedLoadsTtlMs: config.stagedLoadsTtlMs,
    runTables,
    idempotency,
    releases,
    jobs: { pool, records, queue, logger },
    heartbeatMs,
  })
  opened.use(await startSweeper({ pool, presence, logger }, sweeps))
  const resources = opened.move()
  return {
    http: services,
    listeningOn: (address) => {
      ownAddress = config.server.publicUrl ?? address
    },
    startWorker: () =>
      startWorker({
        pool,
        records,
        queue,
        releases,
        logger,
        concurrency: config.jobs.concurrency,
        handlers: jobHandlers(pool, services),
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * Half of the connections are for loads, of which each takes more than one when there are more: a
 * queue of loads holds nobody else up.
 */
function shareConnections(total: number) {
  const share = (part: number) => Math.max(1, Math.floor(total * part))
  const loads = share(0.4)
  return {
    loads,
    concurrentLoads: Math.max(1, Math.floor(loads / 2)),
    exports: share(0.2),
    queries: share(0.2),
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

/** The host of a link depends on the bucket: one that leads nowhere tells it. */
async function linkOrigin(store: ObjectStore): Promise<string> {
  const link = { key: 'none', uploadId: 'none', partNumber: 1, sizeBytes: 1, expiresInSeconds: 1 }
  return new URL(await store.presignPart({ bucket: store.defaultBucket, ...link })).origin
}

async function answers(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  )
}
