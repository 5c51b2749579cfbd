import { temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'
import { createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { allRoutes } from '../../src/http/routes/index.ts'
import type { DatabaseAddress } from '../../src/db/pool.ts'
import type { HttpServices } from '../../src/http/services.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { listen } from '../../src/http/listen.ts'
import { createServices } from '../../src/services.ts'
import { createClient, type TestClient } from './client.ts'
import { clusterSettings } from './cluster.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import { type Factories, TEST_ENCRYPTION_KEYS, createFactories } from './factories.ts'

export interface TestApp {
  readonly database: TestDatabase
  readonly address: string
  readonly config: Config
  readonly services: HttpServices
  /** Speaks as nobody; `client.as(user)` speaks as somebody. */
  readonly client: TestClient
  readonly build: Factories
  /** Everything that was logged, as JSON lines. */
  readonly log: readonly string[]
  readonly dataDir: string
}

interface TestAppOptions {
  /** Settings by their environment names. */
  readonly env?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** For what no setting says: how long one waits for a store, for example. */
  readonly adjust?: (config: Config) => Config | Promise<Config>
}

const TEST_SETTINGS = {
  AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
  LANGUAGE: 'en',
  ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  LOG_LEVEL: 'info',
}

/** The same for all: they hold no more than the console's files and the document, which take a while to write. */
const ROUTES = allRoutes('0.0.0-test')

interface RunningForms {
  readonly url: string
  close(): Promise<unknown>
}

/** The same, with a forms application that it may call and that ends with it. */
export function useAppWithForms<Forms extends RunningForms>(
  start: () => Promise<Forms>,
  env: Readonly<Record<string, string>> = {},
): { readonly app: TestApp; readonly forms: () => Forms } {
  let running: Forms | undefined
  before('starts a forms application', async () => {
    running = await start()
  })
  const forms = () => running!
  const app = useApp({ env: () => ({ ...env, OUTBOUND_ALLOW: new URL(forms().url).host }) })
  after('stops the forms application', () => running?.close())
  return { app, forms }
}

/** The real application on a real database and a real port, for the tests of one file. */
export function useApp(options: TestAppOptions = {}): TestApp {
  let opened: Omit<TestApp, 'database'> | undefined
  let close: (() => Promise<void>) | undefined
  // Hooks run in the order in which they are told: stopped before its database is dropped.
  after('stops the application', async () => {
    await close?.()
  })
  const database = useDatabase()

  before('starts the application', async () => {
    const resources = new AsyncDisposableStack()
    close = () => resources.disposeAsync()
    const { path: dataDir } = resources.use(await temporaryFolder('app'))
    const env = typeof options.env === 'function' ? options.env() : options.env
    const { adjust = (read: Config) => read } = options
    const config = await adjust(
      readConfig({
        ...TEST_SETTINGS,
        ...clusterSettings(),
        ...throughPooler(database.url),
        DATA_DIR: dataDir,
        ...env,
      }),
    )
    const log: string[] = []
    const logger = createLogger(
      { level: config.log.level, pretty: false },
      { write: (line) => void log.push(line) },
    )
    const services = resources.use(await createServices(config, addressOf(config), logger))
    if (config.jobs.worker) resources.use(await services.startWorker())
    const stopping = new AbortController()
    const app = createApp(services.http, logger, {
      routes: ROUTES,
      settings: config.server,
      stopping: stopping.signal,
      cut: stopping.signal,
    })
    const server = await listen(app, '127.0.0.1', 0, logger, config.server.language)
    services.listeningOn(server.address)
    resources.defer(async () => {
      stopping.abort()
      await server.stop(1000)
    })
    opened = {
      address: server.address,
      config,
      services: services.http,
      client: createClient(server.address, TEST_SETTINGS.AUTH_SECRET),
      build: createFactories(() => database.pool),
      log,
      dataDir,
    }
  })

  const current = () => {
    if (!opened) throw new Error('The test application exists only while tests run')
    return opened
  }
  return {
    database,
    get address() {
      return current().address
    },
    get config() {
      return current().config
    },
    get services() {
      return current().services
    },
    get client() {
      return current().client
    },
    get build() {
      return current().build
    },
    get log() {
      return current().log
    },
    get dataDir() {
      return current().dataDir
    },
  }
}

function addressOf({ database }: Config): DatabaseAddress {
  if (database.kind !== 'external') throw new Error('The test application has its own database')
  return database
}

/** `TEST_POOLER_URL`: of a pooler in transaction mode, before the server of `TEST_DATABASE_URL`. */
function throughPooler(url: string): Record<string, string> {
  const pooler = process.env['TEST_POOLER_URL']
  if (pooler === undefined) return { DATABASE_URL: url }
  const pooled = new URL(pooler)
  pooled.pathname = new URL(url).pathname
  return { DATABASE_URL: pooled.href, DATABASE_SESSION_URL: url }
}
