import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { makeFolder } from '../support/folder.ts'
import { useDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'

const CLI = new URL('../../src/cli/start.js', import.meta.url).pathname
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
    folder = await makeFolder('cli-ingest')
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

  it('tells programs in words what it tells people', async () => {
    const path = await file('total.csv', 'Poste;Prix\na;1,50\nb;2,50\nTotal;4,00\n')
    const { stdout } = await run(['ingest', path, '--table', 'total'])
    const { warnings, streamsBecause } = JSON.parse(stdout) as {
      warnings: readonly { message: string }[]
      streamsBecause: string
    }
    expect(warnings[0]!.message).to.contain('“Prix” is 4,00, the sum of the rows above')
    expect(streamsBecause).to.be.a('string')
    const { stdout: seen } = await run(['inspect', path, '--json'])
    expect((JSON.parse(seen) as { warnings: unknown }).warnings).to.deep.equal(warnings)
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

  it('says what is wrong with the input, as JSON, and exits with 3', async () => {
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
    expect([code, stdout]).to.deep.equal([3, ''])
    const { message, problem } = JSON.parse(stderr) as {
      message: string
      problem: {
        kind: string
        total: number
        errors: { message: string }[]
        remedies: { options: object; message: string; leaves: number }[]
      }
    }
    expect(problem.remedies[0]).to.deep.equal({
      options: { ...JSON.parse(options), nullValues: ['never'] } as object,
      message: 'Take “never” for blank cells.',
      leaves: 0,
    })
    expect(message).to.match(/^Invalid date format/)
    expect(problem).to.include({ kind: 'cells', total: 1 })
    expect(problem.errors[0]!.message).to.equal(message)
  })

  it('loads several files, one after the other, into one table', async () => {
    const paths = [
      await file('first.csv', 'Mois;Ventes\n1;10\n'),
      await file('second.csv', 'Mois;Ventes\n2;20\n'),
    ]
    const { stdout, code } = await run(['ingest', ...paths, '--table', 'months'])
    expect(code).to.equal(0)
    const reports = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string })
    expect(reports.map((report) => report.file)).to.deep.equal(paths)
    const { rows } = await database.pool.query('select mois::int, ventes::int from months')
    expect(rows).to.deep.equal([
      { mois: 1, ventes: 10 },
      { mois: 2, ventes: 20 },
    ])
  })

  describe('into a table that somebody else made', () => {
    beforeEach(async () => {
      await database.pool.query(`
        drop table if exists own;
        create table public.own (id serial primary key, birthday date not null, price numeric(8, 1),
                          check (price < 100))`)
    })
    const into = (path: string, ...args: string[]) =>
      run(['ingest', path, '--into', 'public.own', ...args])
    const map = ['--map', 'Né le=birthday', '--map', 'Prix=price']
    const owned = async () =>
      (await database.pool.query('select id, birthday::text, price::text from own order by id'))
        .rows

    it('adds the rows where they are told to go, and keeps the table as it is', async () => {
      const { stdout, stderr, code } = await into(await file('own.csv', CSV), ...map)
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(JSON.parse(stdout)).to.include({ schema: 'public', table: 'own', rowsInTable: 3 })
      expect(await owned()).to.deep.equal([
        { id: 1, birthday: '1999-12-31', price: '1.5' },
        { id: 2, birthday: '2000-01-01', price: '2.3' },
        { id: 3, birthday: '2000-01-02', price: '3.0' },
      ])
    })

    it('adds no row if one does not fit', async () => {
      const path = await file('own-bad.csv', `${CSV}03/01/2000;100\n`)
      const { stderr, code } = await into(path, ...map)
      expect(code).to.equal(3)
      expect((JSON.parse(stderr) as { message: string }).message)
        .to.contain('own_price_check')
        .and.contain('Failing row contains')
      expect(await owned()).to.deep.equal([])
      expect(await tables('staging-%')).to.deep.equal([])
    })

    it('names a header without a column, and leaves out the headers it is told to', async () => {
      const path = await file('own-more.csv', CSV)
      const { stderr, code } = await into(path, '--map', 'Né le=birthday')
      expect(code).to.equal(2)
      expect((JSON.parse(stderr) as { message: string }).message).to.contain(
        'has no column for the header “Prix”: name one of id, birthday, price',
      )
      const left = await into(path, '--map', 'Né le=birthday', '--map', 'Prix=')
      expect(left.code).to.equal(0)
      expect((await owned()).map(({ price }: { price: unknown }) => price)).to.deep.equal([
        null,
        null,
        null,
      ])
    })

    it('refuses at once what cannot go into it, and cuts no value to its length', async () => {
      await database.pool.query('alter table own add code varchar(2)')
      const path = await file(
        'own-code.csv',
        'birthday;code\n31/12/1999;ab\n01/01/2000;abc\n02/01/2000;abcd\n',
      )
      const said = async (...args: string[]) => {
        const { stderr, code } = await into(path, ...args)
        return `${code} ${(JSON.parse(stderr) as { message: string }).message}`
      }
      expect(await said()).to.equal(
        '3 The table public.own does not take it: row 2, column code, “abc”: value too long for type character varying(2)',
      )
      expect(await said('--map', 'birthday=price')).to.equal(
        '3 The table public.own does not take it: cannot cast type date to numeric',
      )
      expect(await said('--map', 'code=birthday')).to.contain(
        '2 The headers “birthday” and “code” go into the same column birthday',
      )
      expect(await said('--map', 'code=nowhere')).to.contain(
        '2 The table own has no column nowhere',
      )
      expect(await said('--map', 'code=', '--map', 'Code=code')).to.equal(
        '2 The file has no header “Code”, but “birthday”, “code”',
      )
      expect(await owned()).to.deep.equal([])
      expect(await tables('staging-%')).to.deep.equal([])
    })

    it('keeps no part of a value alone: the fraction of a number, the time of a day', async () => {
      await database.pool.query('alter table own add pieces integer')
      const said = async (content: string) => {
        const { stderr, code } = await into(await file('own-part.csv', content))
        return code === 0 ? '0' : `${code} ${(JSON.parse(stderr) as { message: string }).message}`
      }
      expect(await said('birthday;pieces\n2000-01-01;1\n2000-01-02;2,5\n')).to.equal(
        '3 The table public.own does not take it: row 2, column pieces, “2.5”: the column has whole numbers',
      )
      expect(await said('birthday;pieces\n2000-01-01 00:00;1\n2000-01-02 10:30;2\n')).to.match(
        /^3 .*: row 2, column birthday, “2000-01-02 10:30:00\+00”: the column has days without a time$/,
      )
      expect(await said('birthday;pieces\n2000-01-01 00:00;1,0\n2000-01-02 00:00;2,00\n')).to.equal(
        '0',
      )
      expect(await owned()).to.have.length(2)
    })
  })

  it('reads an address without showing the credentials in it', async () => {
    const server = createServer((_request, response) => response.end(CSV)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/days.csv`
    const ingest = (...files: readonly string[]) =>
      run(['ingest', ...files.map((url) => `${url}?signature=secret`), '--table', 'fetched'])
    const { stdout, code } = await ingest(address)
    expect(code).to.equal(0)
    expect(JSON.parse(stdout)).to.include({ file: address, rowsInTable: 3 })
    expect(stdout).not.to.contain('secret')
    server.close()
    const refused = await ingest(address, address)
    expect(JSON.parse(refused.stderr)).to.have.property('file', address)
    expect(refused.stderr).not.to.contain('secret')
  })

  it('tells an address without a file from one whose server fails at the moment', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/%ZZ.csv' }).end()
      else if (request.url === '/%ZZ.csv') response.end(CSV)
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end()
      else if (request.url === '/broken') {
        response.writeHead(200, { 'content-length': 1000 }).write(CSV)
        setImmediate(() => response.destroy())
      } else response.writeHead(request.url === '/away' ? 503 : 404).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const said = async (address: string) => {
      const { stderr, code } = await run(['inspect', address])
      return `${code} ${stderr === '' ? '' : (JSON.parse(stderr) as { message: string }).message}`
    }
    expect(await said(`${origin}/moved`)).to.equal('0 ')
    expect(await said(`${origin}/nothing`)).to.equal(`2 ${origin} answers 404 to this address`)
    expect(await said(`${origin}/away`)).to.equal(`4 ${origin} answers 503 to this address`)
    expect(await said(`${origin}/broken`)).to.match(/^4 .* broke off/)
    expect(await said(`${origin}/round`)).to.match(
      /^4 .* cannot be reached \(redirect count exceeded\)$/,
    )
    server.close()
    expect(await said(origin)).to.match(/^4 .* cannot be reached \(ECONNREFUSED\)$/)
    expect(await said('http://name:secret@127.0.0.1/'))
      .to.match(/^2 /)
      .and.not.contain('secret')
    expect(await said('http://?signature=secret')).to.equal('2 http:// is not an address')
  })

  it('needs no right to make a schema that is there', async () => {
    await database.pool.query('create schema there')
    const name = new URL(database.url).pathname.slice(1)
    await database.pool.query(`revoke create on database "${name}" from current_user`)
    const path = await file('schema.csv', CSV)
    const into = (schema: string) => run(['ingest', path, '--table', 'days', '--schema', schema])
    const there = await into('there')
    const made = await into('missing')
    await database.pool.query(`grant create on database "${name}" to current_user`)
    expect([there.code, there.stderr]).to.deep.equal([0, ''])
    expect(made.code).to.equal(4)
    expect(made.stderr).to.contain('permission denied')
  })

  it('says in words which file or database it cannot reach', async () => {
    const said = async (expected: number, ...args: string[]) => {
      const { stderr, code } = await run(args)
      expect(code).to.equal(expected)
      return (JSON.parse(stderr) as { message: string }).message
    }
    const path = await file('fine.csv', CSV)
    const into = ['--table', 't', '--database-url']
    expect(await said(2, 'inspect', join(folder, 'nowhere.csv'))).to.match(
      /^There is no file .*nowhere/,
    )
    expect(await said(2, 'inspect', folder)).to.equal(`${folder} is a folder: name a file in it`)
    expect(await said(4, 'ingest', path, ...into, 'postgres://u:secret@127.0.0.1:1/x')).to.match(
      /^The database server cannot be reached \(ECONNREFUSED\)/,
    )
    const nonsense = await said(2, 'ingest', path, ...into, 'u:secret@host')
    expect(nonsense).to.contain('postgres://').and.not.contain('secret')
  })

  it('names what is wrong with the options', async () => {
    const refusal = async (options: string) => {
      const { stderr, code } = await run(['ingest', '-', '--table', 't', '--options', options])
      return { code, ...(JSON.parse(stderr) as object) }
    }
    const columns = [{ name: 'Prix', type: 'nombre' }]
    expect(await refusal(JSON.stringify({ formt: 'csv', headerRow: '1', columns }))).to.deep.equal({
      code: 2,
      message:
        '--options: “formt” is not known here, but “format” is; ' +
        '“headerRow” must be a whole number or a list; ' +
        '“type” (columns, item 1) must be one of text, number, date, boolean, json',
    })
    expect(await refusal('[]')).to.deep.equal({ code: 2, message: '--options: must be an object' })
  })

  it('refuses contradictory options before it reads anything', async () => {
    const path = await file('together.csv', CSV)
    const said = async (...args: string[]) => {
      const { stderr, code } = await run(['ingest', ...args])
      expect(code, stderr).to.equal(2)
      return stderr
    }
    expect(await said(path, join(folder, 'absent.csv'), '--table', 'both')).to.contain(
      'There is no file',
    )
    expect(await said('-', '-', '--table', 'both')).to.contain('give - once')
    expect(await said(path, '--table', 'both', '--map', 'a=b')).to.contain('use it with --into')
    expect(await said(path, '--into', 'a.b', '--schema', 'c')).to.contain('--schema')
    expect(await said(path, '--tabel', 'both')).to.contain('Did you mean --table?')
    await database.pool.query('create table public.of_mine (n int)')
    expect(await said(path, '--table', 'of_mine')).to.contain('--into')
    expect(await tables('both')).to.deep.equal([])
  })

  it('names the invalid file of several, once those before it are loaded', async () => {
    const paths = [await file('fine.csv', 'n\n1\n'), await file('wrong.csv', 'n;m\n1\n1;2;3\n')]
    const { stdout, stderr, code } = await run(['ingest', ...paths, '--table', 'several'])
    expect(code).to.equal(3)
    expect(JSON.parse(stdout)).to.include({ file: paths[0], rowsInTable: 1 })
    expect(JSON.parse(stderr)).to.include({ file: paths[1] })
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
  it('reads only the beginning of an address', async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const server = createServer((_request, response) => {
      const lines = Buffer.from('Mois;Ventes\n1;10\n2;20\n'.repeat(10_000))
      const endless = Readable.from(
        (function* () {
          for (;;) {
            sent += lines.length
            yield lines
          }
        })(),
      )
      response.once('close', () => closed.resolve())
      endless.on('error', () => undefined).pipe(response)
      response.once('close', () => endless.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const child = spawn(process.execPath, [CLI, 'inspect', `http://127.0.0.1:${port}/endless.csv`])
    expect(await text(child.stdout)).to.contain('2 columns')
    await closed.promise
    server.close()
    expect(sent).to.be.lessThan(64 * 1024 * 1024)
  })

  it('shows dialect, columns and evidence as a table', async () => {
    const shown = await inspect()
    expect(shown).to.match(/delimiter: ";"/)
    expect(shown).to.match(/Né le +ne_le +date DD\/MM\/YYYY +date +DD\/MM\/YYYY 3\/3/)
    expect(shown).to.match(/Prix +prix +number +numeric/)
    expect(shown).to.match(
      /Né le: 3 values, of which these fit: date DD\/MM\/YYYY 3, .*; made NULL: none; dates read in another format: 0; not ambiguous; every value fits/,
    )
  })

  it('shows all evidence for a column, and where a value does not fit', async () => {
    const days = Array.from({ length: 9 }, (_, day) => `1${day + 1}/02/2024`)
    const shown = await inspectText(
      ['Jour', ...days, '0', '13/14/2024', '02/25/2024', ''].join('\n'),
    )
    expect(shown).to.contain('; made NULL: zero 1; dates read in another format: 1; ')
    expect(shown).to.contain('; first value that does not fit: 13/14/2024 (line 12)')
  })

  it('tries the delimiters that occur, and says “1 cell” in the singular', async () => {
    const days = Array.from({ length: 9 }, (_, day) => `1${day + 1}/02/2024;1`)
    const shown = await inspectText(['Jour;n', ...days, '13/14/2024;2'].join('\n'), '--json')
    const { input } = JSON.parse(shown) as {
      input: { dialect: { delimiter: { candidates: readonly { value: string | null }[] } } }
    }
    const tried = input.dialect.delimiter.candidates.map(({ value }) => value)
    expect(tried).to.have.members([';', null])
    expect(await inspectText(['Jour;n', ...days, '13/14/2024;2'].join('\n'))).to.contain(
      '1 cell does not fit its column\n',
    )
  })

  it('prints the same as JSON, with every digit', async () => {
    const shown = await inspect('--json')
    expect(shown).to.contain('"rows":[["1999-12-31",1.50],["2000-01-01",2.25]')
    expect(JSON.parse(shown)).to.have.property('isSample', false)
  })
})
