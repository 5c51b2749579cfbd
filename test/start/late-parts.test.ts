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
const NOT_LATE = ['src/cli/**', 'src/main.ts', 'src/load-rooms.ts', 'src/start/adapters.ts']

const LOADING = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { loadRooms, loadLateParts } = await import('./src/load-rooms.ts')
  await loadRooms()
  await loadLateParts({ warn: ({ err }) => { throw err } })
  process.stdout.write(JSON.stringify(loaded))
`

describe('what is loaded when it is first needed', () => {
  it('is loaded by every process that serves, before anybody needs it', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', LOADING],
      { cwd: ROOT, maxBuffer: 2 ** 24 },
    )
    const loaded = new Set(JSON.parse(stdout) as string[])
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
})
