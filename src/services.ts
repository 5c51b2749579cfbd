import { standardFormats } from '../pipelines/index.ts'
import {
  openMailer,
  openConnectors,
  openEngine,
  openSecretBox,
  openStorage,
  openTraces,
  tellOfMailServer,
  tellOfMissingAudience,
  tokenOptions,
  waitForStorage,
} from './start/adapters.ts'
import type { Config } from './config/config.ts'
import { onceNodesAreThere } from './start/start-database.ts'
import { createKnex } from './db/knex.ts'
import { watchSchema } from './db/later-schema.ts'
import { createLookups } from './db/lookups.ts'
import {
  createPool,
  type DatabaseAddress,
  isPooled,
  type PoolOptions,
  shareConnections,
} from './db/pool.ts'
import { Sessions } from './db/sessions.ts'
import { createAudit } from './domain/audit/audit.ts'
import { createAuth } from './domain/auth/auth.ts'
import { findActors, holdActor } from './domain/auth/find-actor.ts'
import { createLoginLimiter } from './domain/auth/login-limiter.ts'
import { createPeople } from './domain/people/people.ts'
import { createPersonalTokens } from './domain/auth/personal-tokens.ts'
import { refuseWrongKeys } from './domain/connections/key-checks.ts'
import { createCollecting } from './domain/collections/create-collecting.ts'
import { createStrangers } from './domain/collections/strangers.ts'
import { createConnections } from './domain/connections/create-connections.ts'
import { createDocuments } from './domain/documents/create-documents.ts'
import { createDocumentsQuota } from './domain/documents/documents-quota.ts'
import { createSchedules } from './domain/schedules/schedules.ts'
import { createShapes } from './domain/shapes/create-shapes.ts'
import { createSources } from './domain/sources/create-sources.ts'
import { createHousekeeping } from './stack/keep/housekeeping.ts'
import { Leases } from './stack/leases.ts'
import type { LoadsParts } from './stack/fill/run-load.ts'
import { PATIENCE } from './stack/table/lock-table.ts'
import { createFolders } from './domain/folders/create-folders.ts'
import { createRootDeletion } from './domain/folders/delete-root.ts'
import { createIdempotencyStore } from './domain/idempotency.ts'
import { createPartUploads } from './domain/uploads/part-uploads.ts'
import { createUploads } from './domain/uploads/uploads.ts'
import { limitEarlierUsers } from './domain/sql-users/sql-users.ts'
import { createIngest } from './domain/ingest/ingest.ts'
import { checkCluster, nodesAway } from './stack/citus/check-cluster.ts'
import { NO_NODES, watchNodes } from './stack/citus/nodes.ts'
import { tellOwners } from './stack/table/enterprise-schemas.ts'
import { openTableEngine } from './stack/table/table-engine.ts'
import { createRunTables } from './domain/workflows/run-tables.ts'
import { createWorkflows } from './domain/workflows/create-workflows.ts'
import { createHealth, partsGauge } from './observability/health.ts'
import { createHeldPlaces } from './http/places.ts'
import type { HttpServices } from './http/services.ts'
import { deedOfJob, kindsOfWork } from './long-work.ts'
import { ACCESS_TO_WORK } from './domain/long-work.ts'
import { LOAD_KINDS } from './resources/load.ts'
import { countedMailer } from './notifications/counted-mailer.ts'
import { createCounts, createMetrics } from './observability/metrics.ts'
import { createJobAccount } from './jobs/run-job.ts'
import { scheduleGauges } from './domain/schedules/schedule-gauges.ts'
import { catalogueWith } from './messages.ts'
import type { Logger } from './observability/logger.ts'
import { JobRecords } from './jobs/job-records.ts'
import { createJobs } from './jobs/jobs.ts'
import { createOwners } from './jobs/owners.ts'
import { createQueueGauges, jobGauges } from './jobs/queue-gauges.ts'
import { openJobQueue } from './jobs/queue.ts'
import { OutageLog } from './observability/outage-log.ts'
import { createPasswords } from './security/passwords.ts'
import { startWorker } from './jobs/worker.ts'
import { openPresence } from './processes/presence.ts'
import { Releases } from './processes/releases.ts'
import { startSweeper } from './processes/sweeper.ts'
import { createTokens } from './security/tokens.ts'
import { Places, shareOfActor } from './shares.ts'
import { createLinkServer } from './storage/local/link-server.ts'
import type { ObjectStore } from './storage/object-store.ts'
import { listSweeps } from './sweeps.ts'

export interface ServicesOptions {
  /** Ends a start that waits. */
  readonly stopping?: AbortSignal
  /** The process is about to stop: whoever chooses among several should choose another. */
  readonly leaving?: AbortSignal
  /** Besides OUTBOUND_ALLOW: where the bundled forms application listens. */
  readonly alsoAllowed?: readonly string[] | undefined
}

const NEVER = new AbortController().signal

type StatementLimits = Pick<PoolOptions, 'statementTimeoutMs' | 'withoutWorkers'>

const CALLERS = 2

/** Behind a pooler, deletions of whole trees have so many sessions of their own. */
const DELETIONS_AT_ONCE = 2

/** The only place that constructs adapters. What is opened last is closed first. */
export async function createServices(
  config: Config,
  database: DatabaseAddress,
  logger: Logger,
  { stopping = NEVER, leaving = NEVER, alsoAllowed = [] }: ServicesOptions = {},
) {
  await using opened = new AsyncDisposableStack()

  const { heartbeatMs } = config.jobs
  const presence = opened.use(await openPresence({ databaseUrl: database.sessionUrl, heartbeatMs }))
  const { sessionName } = presence
  const share = shareConnections(config.databasePool)
  const pooled = isPooled(database)
  const { statementTimeoutMs } = config
  const knex = opened.adopt(
    createKnex(database.url, { max: share.models, pooled, statementTimeoutMs, sessionName }),
    (open) => open.destroy(),
  )
  const sessions = new Sessions()
  const openPool = (url: string, max: number, limits: StatementLimits = {}) => {
    const open = createPool(url, {
      max,
      ...limits,
      sessionName,
      pooled: url !== database.sessionUrl,
      onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    })
    sessions.follow(open)
    return opened.adopt(open, () => open.end())
  }
  const pool = openPool(database.url, share.queries, { statementTimeoutMs })
  // Whoever signs in waits for nobody's questions.
  const callers = openPool(database.url, CALLERS, { statementTimeoutMs })
  const lookups = createLookups(pool)
  const schema = opened.use(await watchSchema(callers, presence.beatMs))
  // A pooler would have a session of its own taken from it for as long as each of these takes.
  const openSessions = (max: number) => openPool(database.sessionUrl, max)
  const loadPool = openSessions(share.loads)
  const releases = new Releases()
  let ownAddress = config.server.publicUrl ?? `http://${config.server.host}:${config.server.port}`
  const storage = await openStorage(config, () => ownAddress, presence)
  opened.defer(() => storage.store.close())
  await waitForStorage(config, storage, { logger, signal: stopping })
  const connectors = opened.adopt(openConnectors(config, alsoAllowed), (open) => open.close())
  const secretBox = openSecretBox(config)
  // Keys that cannot be read, or are others, stop the start, not the first call that needs one.
  await refuseWrongKeys(pool, await secretBox())
  tellOfMissingAudience(config, logger)
  const tokens = createTokens(
    await tokenOptions(config),
    new OutageLog({ logger, what: 'asking the identity provider for its keys' }),
  )
  await tellOwners(pool, logger)
  await limitEarlierUsers(pool, logger)
  const records = new JobRecords(pool, presence)
  const tableEngine = await openTableEngine(config.tableEngine, pool)
  // Before whatever makes its own tables: a cluster has to tell its nodes of each.
  if (tableEngine.name === 'citus') {
    await checkCluster({ pool: loadPool, connections: config.databasePool, logger })
  }
  const watch =
    tableEngine.name === 'citus'
      ? opened.use(
          watchNodes({ pool: callers, tableEngine, sessions, sessionName, nodesAway, logger }),
        )
      : null
  const nodes = watch ?? NO_NODES
  const queue = opened.adopt(
    await onceNodesAreThere(() => openJobQueue(database, logger, { sessionName, stopping }), {
      purpose: 'the job queue',
      limitMs: config.startTimeoutMs,
      logger,
      signal: stopping,
    }),
    (open) => open.close(),
  )
  const counts = createCounts({ jobs: Object.keys(ACCESS_TO_WORK), loads: LOAD_KINDS })
  const account = createJobAccount({ counts, logger })
  const mailer = countedMailer(
    opened.adopt(await openMailer(config, logger), (open) => open.close()),
    counts.mailEnded,
  )
  tellOfMailServer(mailer, logger)
  const traces = opened.use(openTraces(config, logger))
  const audit = createAudit({ pool, callers })
  const idempotency = createIdempotencyStore({ pool, presence, releases })
  const uploads = createUploads({ pool, store: storage.store, logger, presence, releases })
  const connections = createConnections({ knex, secretBox, registry: connectors.registry })
  const stored = { pool, store: storage.store, uploads }
  const { maxUploadBytes, documentsQuotaBytes } = config.server
  const partUploads = createPartUploads({ ...stored, presence, releases, maxUploadBytes })
  const documents = createDocuments({
    ...stored,
    knex,
    partUploads,
    downloadLinkTtlMs: config.downloadLinkTtlMs,
    quota: createDocumentsQuota(documentsQuotaBytes),
  })
  const ingest = createIngest({
    engine: await openEngine(config),
    pool: loadPool,
    concurrentLoads: share.concurrentLoads,
    documents,
    connections,
  })
  const leases = new Leases({ pool, presence, releases, nodes })
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
    counts,
    housekeeping: opened.use(
      createHousekeeping({
        pool: openSessions(1),
        tableEngine,
        uploads,
        logger,
      }),
    ),
  }
  const runTables = createRunTables({ pool, leases, logger, kept: config.runTablesKept })
  const rootDeletion = createRootDeletion({
    // It holds a lock over many transactions.
    pool: pooled ? openSessions(DELETIONS_AT_ONCE) : pool,
    knex,
    store: storage.store,
    mailer,
    logger,
    noticeAfterMs: config.folderDeletionNoticeAfterMs,
    language: config.server.language,
  })
  const shapes = createShapes({ ...loads, knex })
  const sources = createSources({
    ...loads,
    knex,
    shapes,
    lookups,
    exports: { pool: openSessions(share.exports), nodes },
    reads: {
      nodes,
      pool: openPool(database.sessionUrl, share.reads, {
        statementTimeoutMs,
        withoutWorkers: true,
      }),
      // One enterprise leaves a connection to the others, and one account takes no more processors
      // of the database than its part.
      places: new Places({
        what: 'reads',
        total: share.reads,
        mostOfActor: shareOfActor(share.reads),
        spare: 1,
      }),
    },
    store: storage.store,
    jobsWaitMs: config.jobs.waitLimitMs,
  })
  const collecting = createCollecting({
    ...loads,
    knex,
    sources,
    callers,
    secretBox,
    strangers: createStrangers(callers, config.auth.loginLimit),
    store: storage.store,
    partUploads,
    language: config.server.language,
  })
  const workflows = createWorkflows({ ...loads, knex, runTables })
  const schedules = createSchedules({ pool, sources, connections })
  const owners = createOwners({ findAll: (ids) => findActors(pool, ids), hold: holdActor })
  const kinds = kindsOfWork({ sources, schedules, rootDeletion, workflows })
  const catalogue = catalogueWith(standardFormats())
  const passwords = createPasswords()
  const health = createHealth({
    database: () => callers.query('select 1'),
    storage: (signal) => storage.store.ping(signal),
    ...(watch && { cluster: () => watch.ask() }),
  })
  const services: HttpServices = {
    audit,
    auth: createAuth({
      pool: callers,
      tokens,
      passwords,
      limiter: createLoginLimiter(callers, config.auth.loginLimit),
      loginEnabled: config.auth.login,
      logger,
    }),
    catalogue,
    personalTokens: createPersonalTokens({ knex }),
    people: createPeople(pool, passwords),
    connections,
    documents,
    folders: createFolders({ pool, knex, lookups }),
    rootDeletion,
    idempotency,
    jobs: createJobs({ pool, records, queue, owners, releases, account, kinds }),
    uploadOrigin: async () => (storage.kind === 'local' ? null : linkOrigin(storage.store)),
    links: storage.kind === 'local' ? createLinkServer(storage.store, storage.links) : null,
    traces,
    metrics: createMetrics(
      [...jobGauges(createQueueGauges(pool)), ...scheduleGauges(pool), partsGauge(health)],
      { counts },
    ),
    places: createHeldPlaces({
      maxUploads: config.server.maxUploads,
      maxExports: share.exports,
    }),
    sources,
    schedules,
    shapes,
    ...collecting,
    workflows,
    health,
    schema,
    leaving,
  }

  const sweeps = listSweeps({
    pool,
    localStore: storage.kind === 'local' ? storage.store : null,
    uploads,
    documents,
    tableEngine,
    leases,
    logger,
    patience: PATIENCE,
    stagedLoadsTtlMs: config.stagedLoadsTtlMs,
    loadsKept: config.loadsKept,
    jobsKeptMs: config.jobsKeptMs,
    loadRecordsKeptMs: config.loadRecordsKeptMs,
    auditKeptMs: config.auditKeptMs,
    store: storage.store,
    runTables,
    idempotency,
    releases,
    mailer,
    catalogue,
    language: config.server.language,
    baseUrl: () => ownAddress,
    jobs: { pool, records, queue, logger, account },
    heartbeatMs,
  })
  opened.use(await startSweeper({ pool, presence, logger }, sweeps))
  const resources = opened.move()
  return {
    http: services,
    /** Links lead here until told otherwise; the address is known only once the service listens. */
    listeningOn: (address: string): void => {
      ownAddress = config.server.publicUrl ?? address
    },
    /** Takes queued jobs until it is disposed of. */
    startWorker: (): Promise<AsyncDisposable> =>
      startWorker({
        pool,
        records,
        queue,
        releases,
        account,
        traces,
        recordDone: (client, job, owner, made) => audit.record(deedOfJob(job, owner, made), client),
        logger,
        schema,
        kinds,
        owners,
        concurrency: config.jobs.concurrency,
        waitLimitMs: config.jobs.waitLimitMs,
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>

/** The host of a link depends on the bucket: a link to nothing tells it. */
async function linkOrigin(store: ObjectStore): Promise<string> {
  const link = { key: 'none', uploadId: 'none', partNumber: 1, sizeBytes: 1, expiresInSeconds: 1 }
  return new URL(await store.presignPart({ bucket: store.defaultBucket, ...link })).origin
}
