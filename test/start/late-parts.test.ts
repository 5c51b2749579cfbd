import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '../..')
const LATER = /\blater\(\(\) => import\('([^']+)'\)/g
const UNTOLD = /\bawait import\('(?!node:)[^']+'\)/

/** Loaded at the start if they are loaded at all, or by none of the processes that serve. */
const NOT_LATE = [
  'src/cli/**',
  'src/main.ts',
  'src/load-rooms.ts',
  'src/db/migrate.ts',
  'src/start/adapters.ts',
]

const LOADING = `
  import { registerHooks } from 'node:module'
  const loaded = []
  const inTurns = [0]
  registerHooks({
    load: (url, context, next) => {
      loaded.push(url)
      inTurns[inTurns.length - 1]++
      return next(url, context)
    },
  })
  const { loadRooms, loadLateParts } = await import('./src/load-rooms.ts')
  await loadRooms()
  inTurns.length = 0
  let next
  const turn = () => {
    inTurns.push(0)
    next = setImmediate(turn)
  }
  turn()
  await loadLateParts({ warn: ({ err }) => { throw err } })
  process.stdout.write(JSON.stringify({ loaded, mostInOneTurn: Math.max(...inTurns) }))
  clearImmediate(next)
`

/** Modules: twice as many hold the event loop for longer than a request may, on a machine that is busy. */
const MOST_IN_ONE_TURN = 250

describe('what is loaded when it is first needed', () => {
  let loaded: Set<string>
  let mostInOneTurn: number

  before(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', LOADING],
      { cwd: ROOT, maxBuffer: 2 ** 24 },
    )
    const told = JSON.parse(stdout) as { loaded: string[]; mostInOneTurn: number }
    loaded = new Set(told.loaded)
    mostInOneTurn = told.mostInOneTurn
  })

  it('is loaded by every process that serves, before anybody needs it', () => {
    const files = globSync(['src/**/*.ts', 'pipelines/**/*.ts'], { cwd: ROOT, exclude: NOT_LATE })
    const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
    const named = texts.flatMap(([file, text]) =>
      [...text.matchAll(LATER)].map(([, path]) =>
        path!.startsWith('.')
          ? new URL(path!, pathToFileURL(join(ROOT, file))).href
          : import.meta.resolve(path!),
      ),
    )
    expect(texts.filter(([, text]) => UNTOLD.test(text)).map(([file]) => file)).to.deep.equal([])
    expect(named).not.to.deep.equal([])
    expect(named.filter((part) => !loaded.has(part))).to.deep.equal([])
  })

  it('is loaded in pieces, between which requests are answered', () => {
    expect(mostInOneTurn).to.be.above(0).and.at.most(MOST_IN_ONE_TURN)
  })
})
