import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { CLI, runCli, startCli } from '../support/cli.ts'
import { databaseBefore } from '../support/earlier-database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

const SAMPLE = new URL('../../docs/samples/factures.csv', import.meta.url).pathname
const HOOK = new URL('../support/announce-modules.js', import.meta.url).pathname

/** What a command loads, one a line. */
function modulesOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', HOOK, CLI, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  return text(child.stdio[3] as NodeJS.ReadableStream)
}

describe('the start of a command', () => {
  const WRONG_CALLS = [
    ['ingest', SAMPLE],
    ['ingest', '/nowhere.csv', '--table', 't'],
    ['ingest', SAMPLE, '--table', 't', '--options', '{'],
    ['inspect', '/nowhere.csv'],
    ['check', '/nowhere.csv'],
  ]
  for (const args of [['--help'], ['ingest', '--help'], ['nonsense'], ...WRONG_CALLS]) {
    it(`loads neither engine nor database for ${args.join(' ')}`, async () => {
      const loaded = await modulesOf(args)
      expect(loaded).to.contain('/src/cli/run-command.ts')
      expect(loaded).not.to.match(/\/pipelines\/|node_modules\/(pg|knex|typebox|ajv)\//)
    })
  }

  it('loads what reads a file, and nothing that loads it into a table or unpacks it', async () => {
    const loaded = await modulesOf(['inspect', SAMPLE])
    expect(loaded).to.contain('/pipelines/readers/csv/')
    expect(loaded).not.to.match(/node_modules\/(pg|knex|typebox|ajv|jose)\/|node:(crypto|zlib)/)
  })

  it('loads what checks a shape only for a load that is given one', async () => {
    const nowhere = ['--database-url', 'postgres://nobody@127.0.0.1:1/none']
    const loaded = await modulesOf(['ingest', SAMPLE, '--table', 't', ...nowhere])
    expect(loaded).to.match(/node_modules\/pg\//)
    expect(loaded).not.to.match(/node_modules\/(typebox|ajv)\//)
  })

  it('tells wrong arguments by its exit code', async () => {
    expect((await runCli(['nonsense'], {})).code).to.equal(2)
    expect((await runCli(['token'], {})).code).to.equal(2)
    const { code, stderr } = await runCli(['audit', 'verify', '/nowhere.ndjson'], {})
    expect([code, stderr]).to.deep.equal([2, 'There is no file /nowhere.ndjson\n'])
    expect((await runCli(['--help'], {})).code).to.equal(0)
  })

  it('names the nearest command or option, and what a value should be', async () => {
    const said = async (...args: string[]) => {
      const { code, stderr } = await runCli(args, {})
      expect(code).to.equal(2)
      return stderr
    }
    expect(await said('ingets')).to.contain('Did you mean ingest?')
    expect(await said('sql-user', 'create', '--enterprise', 'x', '--name', 'y')).to.contain(
      'Write a whole number from 1 to 2147483647.',
    )
    expect(await said('sql-user', 'drop', '--name', 'y', '--admin-url', 'u:secret@h')).to.equal(
      '--admin-url should be an address such as postgres://user@host:5432/database\n',
    )
  })

  it('leaves a database to the earlier version that may be at work in it, and says how it is migrated', async () => {
    await using earlier = await databaseBefore('0064')
    const ran = async () => {
      const { rows } = await earlier.pool.query('select name from knex_migrations order by id')
      return rows.map(({ name }) => name as string)
    }
    const before = await ran()
    const settings = {
      DATABASE_URL: earlier.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    }
    for (const question of [
      ['keys', 'check'],
      ['audit', 'verify'],
      ['token', '--email', 'a@b.c'],
    ]) {
      const { code, stdout, stderr } = await runCli(question, settings)
      expect([code, stdout]).to.deep.equal([4, ''])
      expect(stderr).to.match(
        /^The database is of an earlier version of the service: .* missing, 0064_\w+ to .*`npm run cli -- migrate`/,
      )
    }
    expect(await ran()).to.deep.equal(before)
    expect((await runCli(['migrate'], settings)).code).to.equal(0)
    expect(await ran()).to.have.length.above(before.length)
  })

  it('ends with 0 when a command that runs until stopped is stopped, whatever comes before its name', async () => {
    const child = startCli(['--verbose', 'formulaires'], {})
    await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).to.equal(0)
  })

  it('ends quietly when nobody reads its output', async () => {
    const child = spawn(process.execPath, [CLI, 'inspect', '-'])
    child.stdout.destroy()
    child.stdin.end('a;b\n1;2\n')
    const said = text(child.stderr)
    expect((await once(child, 'exit'))[0]).to.equal(0)
    expect(await said).to.equal('')

    const complaining = spawn(process.execPath, [CLI, 'nonsense'])
    complaining.stderr.destroy()
    expect((await once(complaining, 'exit'))[0]).to.equal(2)
  })
})
