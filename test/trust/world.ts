import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import { temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'
import { type Formulaires, startFormulaires } from '../../src/simulator/formulaires.ts'
import { createS3Store } from '../../src/storage/s3/create-s3-store.ts'
import type { ObjectStore } from '../../src/storage/object-store.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { clusterSettings } from '../support/cluster.ts'
import { createFactories, type Factories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { assertInvariants } from '../support/invariants/index.ts'
import type { Shelter } from '../support/invariants/shelter.ts'
import { type S3Server, startS3Server } from '../support/s3-server/index.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { watchedClient } from '../support/watched-client.ts'
import { AnswerWatch } from './answer-watch.ts'
import { makePeople, type People } from './people.ts'
import type { Trials } from './section.ts'
import { ownDatabase, sharedDatabase, type WorldDatabase } from './tools/world-database.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** A service as a process, all that it depends on with a hand on every switch, and some people. */
export interface World extends AsyncDisposable {
  readonly databaseUrl: string
  readonly pool: Pool
  /** The way of the service to its database, where that was asked for. */
  readonly databaseProxy: TcpProxy | null
  /** Null with the local store. */
  readonly s3: S3Server | null
  /** The way to it, where that was asked for. */
  readonly s3Proxy: TcpProxy | null
  /** The same store, to put things into it behind the service's back. */
  readonly objects: ObjectStore | null
  readonly forms: Formulaires
  readonly build: Factories
  readonly people: People
  readonly dataDir: string
  readonly authSecret: string
  /** The process that was started last, of those that were not ended. */
  readonly server: ServerProcess
  /** Speaks to it as nobody; what it hears is searched for secrets and for failures. */
  readonly client: TestClient
  readonly answers: AnswerWatch
  /** Another process on the same database and folder. */
  start(more?: Readonly<Record<string, string>>): Promise<ServerProcess>
  /** From then on, the one before it is asked. */
  end(server: ServerProcess, how: 'in order' | 'killed'): Promise<void>
  clientOf(server: ServerProcess): TestClient
  /**
   * How long something may take on a machine of its own. Beside all that `npm test` runs on it there is
   * no such bound, only an end of the waiting.
   */
  within(ms: number): number
  /** I1 to I7, from outside; waits for what may take a moment. */
  assertInvariants(settleMs?: number): Promise<void>
}

export interface WorldOptions {
  readonly store?: 'local' | 's3'
  /** With s3: by way of a proxy. */
  readonly storeByProxy?: boolean
  /** Settings by their environment names, for every process. */
  readonly env?: Readonly<Record<string, string>>
  /** The service, not the tests, goes to its database by way of a proxy. */
  readonly databaseByProxy?: boolean
  readonly forms?: { readonly responsesPerForm?: number }
  /** Folder of a database server of one's own; default: a database of the shared one. */
  readonly databaseFolder?: string
  /** Closed with the world. */
  readonly database?: WorldDatabase
  /** Default: one in the folder for temporary files. */
  readonly dataDir?: string
}

const SETTLE_MS = 30_000
export const BUCKETS = ['documents', 'archive', 'legacy'] as const

export async function openWorld(
  { extent }: Pick<Trials, 'extent'>,
  options: WorldOptions = {},
): Promise<World> {
  const shared = extent === 'ci'
  const within = (ms: number) => (shared ? PATIENCE_MS : ms)
  await using opened = new AsyncDisposableStack()
  const { databaseFolder } = options
  const database = opened.use(
    options.database ??
      (await (databaseFolder === undefined ? sharedDatabase() : ownDatabase(databaseFolder))),
  )
  const databaseProxy = options.databaseByProxy
    ? opened.use(await startTcpProxy(database.url))
    : null
  const dataDir = options.dataDir ?? opened.use(await temporaryFolder('trust')).path
  const forms = opened.adopt(
    await startFormulaires({
      apiKeys: [`frm_sentinel_${randomUUID()}`],
      forms: 3,
      cards: 2,
      responsesPerForm: options.forms?.responsesPerForm ?? 60,
    }),
    (simulator) => simulator.close(),
  )
  const s3Access = { accessKeyId: 'trust', secretAccessKey: `s3-sentinel-${randomUUID()}` }
  const s3 =
    options.store === 's3'
      ? opened.adopt(await startS3Server({ ...s3Access, buckets: BUCKETS }), (server) =>
          server.close(),
        )
      : null
  const s3Proxy = s3 && options.storeByProxy ? opened.use(await startTcpProxy(s3.endpoint)) : null
  const objects =
    s3 &&
    opened.adopt(
      createS3Store({
        bucket: BUCKETS[0],
        endpoint: s3.endpoint,
        publicEndpoint: null,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: s3Access,
      }),
      (store) => store.close(),
    )
  const authSecret = `auth-sentinel-${randomUUID()}-${randomUUID()}`
  const settings: Record<string, string> = {
    DATABASE_URL: databaseProxy?.through(database.url) ?? database.url,
    DATA_DIR: dataDir,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    OUTBOUND_ALLOW: new URL(forms.url).host,
    OUTBOUND_TIMEOUT: shared ? '5s' : '2s',
    JOB_HEARTBEAT: shared ? '2s' : '500ms',
    SHUTDOWN_GRACE: '10s',
    ...clusterSettings(),
    ...s3?.settings,
    ...(s3Proxy && s3 && { S3_ENDPOINT: s3Proxy.through(s3.endpoint) }),
    ...options.env,
  }
  const answers = new AnswerWatch()
  const secrets = [authSecret, s3Access.secretAccessKey, forms.apiKey]
  const servers: { process: ServerProcess; client: TestClient; isEnded: boolean }[] = []
  const output = () => servers.flatMap(({ process }) => process.output)
  answers.guard(secrets, output)
  opened.defer(async () => {
    for (const { process } of servers) await process.kill()
  })

  const start = async (more: Readonly<Record<string, string>> = {}) => {
    const process = await startServer({ ...settings, ...more })
    const client = watchedClient(createClient(process.address, authSecret), answers.see)
    servers.push({ process, client, isEnded: false })
    return process
  }
  await start()
  const { pool } = database
  const build = createFactories(() => pool)
  const people = await makePeople(build, pool)
  const current = () => servers.findLast(({ isEnded }) => !isEnded)!
  const shelter: Shelter = {
    pool,
    dataDir,
    buckets: s3 && { server: s3, names: BUCKETS },
    secrets: () => secrets,
    pids: () => servers.flatMap(({ process }) => (process.isRunning() ? [process.pid] : [])),
    output,
  }
  const resources = opened.move()

  return {
    databaseUrl: database.url,
    pool,
    databaseProxy,
    s3,
    s3Proxy,
    objects,
    forms,
    build,
    people,
    dataDir,
    authSecret,
    answers,
    get server() {
      return current().process
    },
    get client() {
      return current().client
    },
    start,
    async end(server, how) {
      await (how === 'killed' ? server.kill() : server.stop())
      servers.find(({ process }) => process === server)!.isEnded = true
    },
    clientOf: (server) => servers.find(({ process }) => process === server)!.client,
    within,
    async assertInvariants(settleMs = SETTLE_MS) {
      await assertInvariants(shelter, within(settleMs))
      answers.assertClean()
      if (current().process.isRunning()) return
      throw new Error(`The service is gone:\n${current().process.output.slice(-20).join('\n')}`)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
