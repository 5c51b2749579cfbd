import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Connection } from 'pg'

import { migratedDatabase } from '../benchmarks/support/migrated-database.ts'
import { newKeys } from '../benchmarks/support/service-process.ts'
import { temporaryFolder } from '../benchmarks/support/temporary-folder.ts'
import { createAdmin } from '../benchmarks/support/users.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { listen } from '../src/http/listen.ts'
import { allRoutes } from '../src/http/routes/index.ts'
import { createLogger } from '../src/observability/logger.ts'
import { createTokens } from '../src/security/tokens.ts'
import { createServices } from '../src/services.ts'

/**
 * How much of the code one upload runs through, and how much of it there is: V8's precise coverage
 * of `POST /sources`, and a look at the text.
 */

const ROOT = resolve(import.meta.dirname, '..')
const PRODUCT = ['src', 'pipelines']
/** What a load passes through between a source and its table, wherever its files lie. */
const STACK = [
  'src/stack',
  'src/cli/tables',
  'src/domain/tables',
  'src/domain/loads',
  'src/domain/sources',
]
const SIX_ROWS =
  'Nom;Âge;Ville\nAda;36;Paris\nAlan;41;Lyon\nGrace;85;Lille\nEdsger;72;Metz\nBarbara;59;Brest\nDonald;87;Nice\n'
/** What is called in each of them belongs to the request; a heartbeat, for example, does not. */
const REQUESTS = 5
const REST_MS = 1500

/** Functions that were called, as file and place. */
type Called = ReadonlySet<string>

class Coverage {
  readonly #session = new Session()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  /** What was called since the last time. The inspector of the own thread answers at once. */
  take(): Called {
    const called = new Set<string>()
    const root = `${pathToFileURL(ROOT).href}/`
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      for (const { url, functions } of taken.result) {
        if (!PRODUCT.some((room) => url.startsWith(`${root}${room}/`))) continue
        for (const { functionName, ranges } of functions) {
          const { startOffset, count } = ranges[0]!
          if (count === 0) continue
          called.add(`${url.slice(root.length)} ${functionName} ${startOffset}`)
        }
      }
    })
    return called
  }
}

const filesOf = (called: Called): Set<string> =>
  new Set([...called].map((each) => each.slice(0, each.indexOf(' '))))

const union = (sets: readonly Called[]): Called => new Set(sets.flatMap((each) => [...each]))
const inAll = (sets: readonly Called[]): Called =>
  new Set([...sets[0]!].filter((each) => sets.every((other) => other.has(each))))

interface Counted {
  readonly whole: Called
  readonly afterCopy: Called
}

async function countUploads(): Promise<Counted> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await migratedDatabase(null))
  const { path: dataDir } = stack.use(await temporaryFolder('counts'))
  const { secret, encryption } = newKeys()
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    ENCRYPTION_KEYS: encryption,
  })
  if (config.database.kind !== 'external') throw new Error('The database has an address')
  const logger = createLogger({ level: 'warn', pretty: false })
  const services = stack.use(await createServices(config, config.database, logger))
  const stopping = new AbortController()
  const app = createApp(services.http, logger, {
    routes: allRoutes('0.0.0-counts'),
    settings: config.server,
    stopping: stopping.signal,
    cut: stopping.signal,
  })
  const server = await listen(app, '127.0.0.1', 0, logger, config.server.language)
  stack.defer(async () => {
    stopping.abort()
    await server.stop(1000)
  })
  const { uuid } = await createAdmin(database.url)
  const keys = { kind: 'secret' as const, secret }
  const tokens = createTokens({ keys, issuer: null, audience: null, ttlMs: 3_600_000 })
  const { token } = await tokens.issue(uuid)

  async function upload(name: string): Promise<void> {
    const form = new FormData()
    form.append('source', 'file')
    form.append('name', name)
    form.append('tableName', name)
    form.append('file', new Blob([SIX_ROWS]), 'six.csv')
    const response = await fetch(`${server.address}/sources`, {
      method: 'POST',
      headers: { 'x-app-access-token': token },
      body: form,
    })
    const answer = await response.text()
    if (response.status !== 201) throw new Error(`${response.status} ${answer}`)
  }

  // What is loaded when it is first needed would count as called.
  await upload('warm_up')
  await rest()
  const coverage = new Coverage()
  let untilCopied: Called = new Set()
  const { emit } = Connection.prototype
  Connection.prototype.emit = function (name: string | symbol, ...given: unknown[]) {
    const [message] = given as [{ text?: string } | undefined]
    if (name === 'commandComplete' && message?.text?.startsWith('COPY ') === true) {
      untilCopied = coverage.take()
    }
    return emit.call(this, name as 'commandComplete', ...(given as [never]))
  }
  const counted: Counted[] = []
  for (let request = 1; request <= REQUESTS; request++) {
    coverage.take()
    await upload(`six_rows_${request}`)
    const afterCopy = coverage.take()
    counted.push({ whole: union([untilCopied, afterCopy]), afterCopy })
    await rest()
  }
  return {
    whole: inAll(counted.map(({ whole }) => whole)),
    afterCopy: inAll(counted.map(({ afterCopy }) => afterCopy)),
  }
}

/** Until housekeeping is over. */
const rest = (): Promise<void> => new Promise((resolveRest) => setTimeout(resolveRest, REST_MS))

function sourcesIn(room: string): { readonly file: string; readonly text: string }[] {
  try {
    return readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const EXPORTED_TYPE = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm

/** Names that are exported as types by several files. */
function namesWithTwoMeanings(): string[] {
  const named = new Map<string, number>()
  for (const { text } of PRODUCT.flatMap(sourcesIn)) {
    for (const [, name] of text.matchAll(EXPORTED_TYPE)) {
      named.set(name!, (named.get(name!) ?? 0) + 1)
    }
  }
  return [...named].flatMap(([name, files]) => (files > 1 ? [name] : []))
}

const INTERFACE = /^export interface (\w+)(?:<[^{]*>)?(?: extends [^{]+)? \{\n((?:.*\n)*?)\}/gm
const METHOD = /^ {2}\w+\??(?:<[^>]*>)?\(/gm

/** Interfaces of several methods that one function makes and that nothing else is. */
function interfacesOfOneFunction(): string[] {
  const texts = sourcesIn('src').map(({ text }) => text)
  return texts
    .flatMap((text) => [...text.matchAll(INTERFACE)])
    .filter(([, , body]) => [...body!.matchAll(METHOD)].length > 1)
    .map(([, name]) => name!)
    .filter((name) => {
      const made = new RegExp(
        `\\bfunction \\w+(?:<[^>]*>)?\\([^{}]*?(?:\\{[^{}]*\\}[^{}]*?)*\\): (?:Promise<)?${name}>? \\{`,
        'g',
      )
      const others = new RegExp(
        `(?:implements|extends) [^{]*\\b${name}\\b|(?:const|let) \\w+: ${name} = `,
        'g',
      )
      const times = (pattern: RegExp) =>
        texts.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0)
      return times(made) === 1 && times(others) === 0
    })
}

const LOAD_TARGET = /^export interface (?:LoadTarget|CopyTarget) \{\n((?:.*\n)*?)\}/m

/** What the engine asks of whoever loads, besides a connection. */
function targetCallbacks(): string[] {
  const text = readFileSync(join(ROOT, 'pipelines/core/engine.ts'), 'utf8')
  const [, body = ''] = LOAD_TARGET.exec(text) ?? []
  return [...body.matchAll(/^ {2}(\w+)\(/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'connect')
}

const linesOf = (sources: ReturnType<typeof sourcesIn>): number =>
  sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

function tell(what: string, count: number, names: readonly string[] = []): void {
  process.stdout.write(`${String(count).padStart(6)}  ${what}\n`)
  const isAsked = process.argv.includes('--names')
  if (isAsked && names.length > 0) process.stdout.write(`        ${names.join(', ')}\n`)
}

const { whole, afterCopy } = await countUploads()
const tellNames = (what: string, names: Iterable<string>) => {
  const list = [...names].toSorted()
  tell(what, list.length, list)
}
/** And how many of them are in each room. */
const tellFiles = (what: string, files: Iterable<string>) => {
  const list = [...files].toSorted()
  const rooms = Object.entries(Object.groupBy(list, (file) => file.split('/', 2).join('/')))
  tell(what, list.length, [...rooms.map(([room, inRoom]) => `${room}: ${inRoom!.length}`), ...list])
}
tellFiles('files that one POST /sources of six rows runs through', filesOf(whole))
tell('functions of it', whole.size)
tellFiles('files between the end of COPY and the answer', filesOf(afterCopy))
tellNames('callbacks of what a load fills', targetCallbacks())
tellNames('interfaces of several methods that one function makes', interfacesOfOneFunction())
tellNames('exported type names with two meanings', namesWithTwoMeanings())
const stack = STACK.flatMap(sourcesIn)
const byFolder = Object.entries(Object.groupBy(stack, ({ file }) => dirname(file)))
tell(
  `lines in ${STACK.join(', ')}`,
  linesOf(stack),
  byFolder.map(([folder, sources]) => `${folder}: ${linesOf(sources!)}`),
)
