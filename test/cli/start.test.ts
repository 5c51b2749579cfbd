import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { CLI, runCli } from '../support/cli.ts'

describe('the start of a command', () => {
  for (const args of [['--help'], ['ingest', '--help'], ['nonsense']]) {
    it(`loads neither engine nor database for ${args.join(' ')}`, async () => {
      const hook = new URL('../support/announce-modules.js', import.meta.url).pathname
      const child = spawn(process.execPath, ['--import', hook, CLI, ...args], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      })
      const loaded = await text(child.stdio[3] as NodeJS.ReadableStream)
      expect(loaded).to.contain('/src/cli/run-command.ts')
      expect(loaded).not.to.match(/\/pipelines\/|node_modules\/(pg|knex|typebox|ajv)\//)
    })
  }

  it('tells wrong arguments by its exit code', async () => {
    expect((await runCli(['nonsense'], {})).code).to.equal(2)
    expect((await runCli(['token'], {})).code).to.equal(2)
    expect((await runCli(['--help'], {})).code).to.equal(0)
  })

  it('ends quietly where nobody reads what it says', async () => {
    const child = spawn(process.execPath, [CLI, 'inspect', '-'])
    child.stdout.destroy()
    child.stdin.end('a;b\n1;2\n')
    const said = text(child.stderr)
    expect((await once(child, 'exit'))[0]).to.equal(0)
    expect(await said).to.equal('')
  })
})
