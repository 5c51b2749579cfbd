import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { makeFolder } from './support/folder.ts'
import { expectShown, readTour } from './support/readme-tour.ts'
import { type ServerProcess, startServer } from './support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ADDRESS = 'http://127.0.0.1:3000'
const END_OF_STEP = '--- end of step ---'

/** One after the other, in one terminal. */
const PAGES = ['README.md', 'docs/recipes.md']

describe('the tour of the README, and the recipes', () => {
  const tour = PAGES.flatMap((page) => readTour(readFileSync(join(ROOT, page), 'utf8')))
  const [begin, ...steps] = tour
  let dataDir = ''
  let server: ServerProcess
  let outputs: readonly string[] = []

  before(async () => {
    dataDir = await makeFolder('readme')
    server = await startServer({ DATA_DIR: dataDir, LANGUAGE: 'fr' })
    outputs = await runAll(steps.map(({ command }) => command))
  })
  after(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('begins with the start of the service', () => {
    expect(begin!.command).to.equal('npm start\n')
    const isLog = (line: string) => line.startsWith('{')
    const lines = server.output.filter((line) => !isLog(line))
    const printed = lines.join('\n').replaceAll(server.address, ADDRESS)
    expectShown(begin!.shown!, printed)
  })

  for (const [index, { command, shown }] of steps.entries()) {
    it(`shows what this gives: ${command.trim().split('\n').at(-1)}`, () => {
      if (shown !== null) expectShown(shown, outputs[index]!)
    })
  }

  /** All steps in one shell, as a reader has it; what each printed. */
  async function runAll(commands: readonly string[]): Promise<string[]> {
    const script = commands.map((command) => `${command}\necho; echo '${END_OF_STEP}'\n`).join('')
    const shell = spawn('sh', ['-c', withCurl(script.replaceAll(ADDRESS, server.address))], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(shell.stdout), once(shell, 'exit')])
    return printed.split(`\n${END_OF_STEP}\n`)
  }
})

/** Where a machine has no curl, a stand-in of ours that knows the options of the tour. */
function withCurl(script: string): string {
  if (spawnSync('curl', ['--version']).status === 0) return script
  const standIn = join(import.meta.dirname, 'support', 'small-curl.ts')
  return `curl() { '${process.execPath}' '${standIn}' "$@"; }\n${script}`
}
