import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { useDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'

const CLI = new URL('../../src/cli/main.ts', import.meta.url).pathname
const CSV = 'Né le;Prix\n31/12/1999;1,50\n01/01/2000;2,25\n02/01/2000;3\n'

const inspect = (...args: string[]) => inspectText(CSV, ...args)

async function inspectText(input: string, ...args: string[]) {
  const child = spawn(process.execPath, [CLI, 'inspect', '-', ...args])
  child.stdin.end(input)
  return text(child.stdout)
}

describe('cli ingest', () => {
  const database = useDatabase()
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-ingest-'))
  })

  after(async () => {
    await rm(folder, { recursive: true })
  })

  async function file(name: string, content: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, content)
    return path
  }

  function start(...args: string[]) {
    return spawn(process.execPath, [CLI, ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    })
  }

  async function run(args: string[], stdin = '') {
    const child = start(...args)
    child.stdin.end(stdin)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { stdout, stderr, code: code as number }
  }

  it('loads a file and prints one report', async () => {
    const path = await file('days.csv', CSV)
    const { stdout, stderr, code } = await run(['ingest', path, '--table', 'days'])
    expect([code, stderr]).to.deep.equal([0, ''])
    const report = JSON.parse(stdout) as Record<string, unknown>
    expect(report).to.deep.include({
      schema: 'public',
      table: 'days',
      rejects: null,
      rowsInTable: 3,
      counts: { read: 3, loaded: 3, rejected: 0, blank: 0 },
    })
    const { rows } = await database.pool.query('select ne_le::text, prix::text from days')
    expect(rows[0]).to.deep.equal({ ne_le: '1999-12-31', prix: '1.50' })
  })

  it('reads standard input, and adds to a table', async () => {
    await run(['ingest', '-', '--table', 'piped', '--schema', 'made_for_it'], CSV)
    const { code } = await run(
      ['ingest', '-', '--table', 'piped', '--schema', 'made_for_it', '--append'],
      CSV,
    )
    expect(code).to.equal(0)
    const { rows } = await database.pool.query(
      'select max(_row)::int as last from made_for_it.piped',
    )
    expect(rows).to.deep.equal([{ last: 6 }])
  })

  it('says what is wrong with the input, as JSON, and exits with 1', async () => {
    const path = await file('bad.csv', `${CSV}never;1\n`)
    const options = '{"columns":[{"name":"Né le","type":"date"}]}'
    const { stdout, stderr, code } = await run([
      'ingest',
      path,
      '--table',
      'bad',
      '--options',
      options,
    ])
    expect([code, stdout]).to.deep.equal([1, ''])
    const { message, problem } = JSON.parse(stderr) as {
      message: string
      problem: { kind: string; total: number }
    }
    expect(message).to.match(/^Format de date invalide/)
    expect(problem).to.include({ kind: 'cells', total: 1 })
  })

  it('says in words which file or database it cannot reach', async () => {
    const said = async (...args: string[]) => {
      const { stderr, code } = await run(args)
      expect(code).to.equal(1)
      return (JSON.parse(stderr) as { message: string }).message
    }
    const path = await file('fine.csv', CSV)
    const into = ['--table', 't', '--database-url']
    expect(await said('inspect', join(folder, 'nowhere.csv'))).to.match(
      /^There is no file .*nowhere/,
    )
    expect(await said('inspect', folder)).to.equal(`${folder} is a folder: name a file in it`)
    expect(await said('ingest', path, ...into, 'postgres://u:secret@127.0.0.1:1/x')).to.match(
      /^The database server cannot be reached \(ECONNREFUSED\)/,
    )
    const nonsense = await said('ingest', path, ...into, 'u:secret@host')
    expect(nonsense).to.contain('postgres://').and.not.contain('secret')
  })

  it('names what is wrong with the options', async () => {
    const { stderr, code } = await run(['ingest', '-', '--table', 't', '--options', '{"colour":1}'])
    expect(code).to.equal(1)
    expect(stderr).to.contain('additional properties')
  })

  it('cleans up when it is interrupted', async () => {
    const path = await file('long.csv', `Né le;Prix\n${'31/12/1999;1,50\n'.repeat(1_000_000)}`)
    const child = start('ingest', path, '--table', 'never', '--streams', '2')
    const said = text(child.stderr)
    await until('it loads', async () => (await tables('staging-%')).length > 0)
    child.kill('SIGINT')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).to.equal(130)
    expect(JSON.parse(await said)).to.have.property('message', 'Interrupted: nothing was loaded')
    expect(await tables('staging-%')).to.deep.equal([])
    expect(await tables('never')).to.deep.equal([])
  })

  async function tables(pattern: string): Promise<unknown[]> {
    const { rows } = await database.pool.query('select from pg_class where relname like $1', [
      pattern,
    ])
    return rows
  }
})

describe('cli inspect', () => {
  it('shows dialect, columns and evidence as a table', async () => {
    const shown = await inspect()
    expect(shown).to.match(/delimiter: ";"/)
    expect(shown).to.match(/Né le +ne_le +date DD\/MM\/YYYY +date +DD\/MM\/YYYY 3\/3/)
    expect(shown).to.match(/Prix +prix +number +numeric/)
    expect(shown).to.match(
      /Né le: 3 values, of which fit: date DD\/MM\/YYYY 3, .*; made NULL: none; dates read in another format: 0; not ambiguous; nothing that does not fit/,
    )
  })

  it('shows all evidence for a column, and where a value does not fit', async () => {
    const days = Array.from({ length: 9 }, (_, day) => `1${day + 1}/02/2024`)
    const shown = await inspectText(
      ['Jour', ...days, '0', '13/14/2024', '02/25/2024', ''].join('\n'),
    )
    expect(shown).to.contain('; made NULL: zero 1; dates read in another format: 1; ')
    expect(shown).to.contain('; first that does not fit: 13/14/2024 (line 12)')
  })

  it('prints the same as JSON, with every digit', async () => {
    const shown = await inspect('--json')
    expect(shown).to.contain('"rows":[["1999-12-31",1.50],["2000-01-01",2.25]')
    expect(JSON.parse(shown)).to.have.property('isSample', false)
  })
})
