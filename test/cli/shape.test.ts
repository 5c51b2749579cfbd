import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { makeFolder } from '../support/folder.ts'

const SHAPE = {
  name: 'Ventes',
  columns: [
    { name: 'Client', type: 'text' },
    { name: 'Montant', type: 'number', aliases: ['Montant TTC'] },
    { name: 'Ville', type: 'text' },
  ],
}

describe('cli and shapes', () => {
  const database = useDatabase()
  let folder: string

  before(async () => {
    folder = await makeFolder('cli-shape')
  })

  after(async () => {
    await rm(folder, { recursive: true })
  })

  const cli = (...args: readonly string[]) =>
    runCli(args, {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })

  async function file(name: string, content: unknown): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  it('imports a shape, and exports the same again', async () => {
    const made = await cli('enterprise', 'create', '--name', 'Ici', '--account-type', 'personal')
    const [, id] = /^id: (\d+)/.exec(made.stdout)!
    const path = await file('shape.json', SHAPE)
    const imported = await cli('shape', 'import', path, '--enterprise', id!)
    const [, uuid] = /^uuid: (\S+)\n$/.exec(imported.stdout)!
    const { stdout } = await cli('shape', 'export', uuid!)
    const exported = JSON.parse(stdout)
    expect(exported).to.include({ name: 'Ventes', unknown: 'add', missing: 'empty' })
    expect(exported.columns[1]).to.deep.include({
      name: 'Montant',
      column: 'montant',
      aliases: ['Montant TTC'],
    })
    const copy = join(folder, 'copy.json')
    await cli('shape', 'export', uuid!, '--output', copy)
    const again = await cli('shape', 'import', copy, '--enterprise', id!, '--name', 'Autre')
    expect(again.code, again.stderr).to.equal(0)
    expect(JSON.parse(await readFile(copy, 'utf8'))).to.deep.equal(exported)
  })

  it('imports a Table Schema under its title', async () => {
    const made = await cli('enterprise', 'create', '--name', 'Là', '--account-type', 'personal')
    const [, id] = /^id: (\d+)/.exec(made.stdout)!
    const fields = [{ name: 'Client' }, { name: 'Heure', type: 'time' }]
    const long = await file('titled.json', { title: ` ${'x'.repeat(254)}😀 `, fields })
    const { stdout, stderr } = await cli('shape', 'import', long, '--enterprise', id!)
    expect(stderr).to.match(/^[^\n]+“time”[^\n]+\n$/)
    const [, uuid] = /^uuid: (\S+)\n$/.exec(stdout)!
    const { stdout: exported } = await cli('shape', 'export', uuid!)
    expect(JSON.parse(exported).name).to.equal('x'.repeat(254))
    const blank = await file('blank.json', { title: ' ', fields })
    const nameless = await cli('shape', 'import', blank, '--enterprise', id!)
    expect(nameless.stderr).to.contain('give it one with --name')
    const named = await cli('shape', 'import', long, '--enterprise', id!, '--name', 'Autre')
    expect(named.stderr).to.contain('“title”')
  })

  it('refuses a file that is no shape, and what is not there', async () => {
    const none = await file('none.json', { columns: [{ name: 'a' }] })
    expect((await cli('shape', 'import', none, '--enterprise', '1')).stderr).to.contain('no shape')
    const broken = await file('broken.json', '{')
    expect((await cli('shape', 'import', broken, '--enterprise', '1')).stderr).to.contain('JSON')
    const path = await file('shape.json', SHAPE)
    const nobody = await cli('shape', 'import', path, '--enterprise', '2000000')
    expect(nobody.stderr).to.contain('no enterprise 2000000')
    expect((await cli('shape', 'export', 'x')).stderr).to.contain('no shape x')
  })

  it('refuses what the API would refuse, with the place of each fault', async () => {
    const shape = await file('named.json', SHAPE)
    const long = ['shape', 'import', shape, '--enterprise', '1', '--name', 'x'.repeat(256)]
    const { stderr, code } = await cli(...long)
    expect(code).to.equal(2)
    expect(stderr).to.contain('name').and.contain('255')
    const columns = [
      { name: 'a', type: 'text', aliases: ['x'.repeat(256)] },
      { name: 'b', type: 'date', pattern: 'QQQ' },
    ]
    const faulty = await file('faulty.json', { ...SHAPE, columns })
    expect((await cli('shape', 'import', faulty, '--enterprise', '1')).stderr).to.contain(
      'item 1 (columns, item 1, aliases)',
    )
    const pattern = await file('pattern.json', { ...SHAPE, columns: columns.slice(1) })
    expect((await cli('shape', 'import', pattern, '--enterprise', '1')).stderr).to.contain(
      '“pattern” (columns, item 1)',
    )
  })

  it('loads files through their headers, and asks what it cannot know', async () => {
    const shape = await file('shape.json', SHAPE)
    const load = async (name: string, csv: string, ...more: readonly string[]) =>
      cli('ingest', await file(name, csv), '--table', 'ventes', '--shape', shape, ...more)
    const first = await load('1.csv', 'CLIENT;montant ttc\nAnn;1,5\n')
    expect(first.code, first.stderr).to.equal(0)
    const second = await load('2.csv', 'Ville;Client;Note\nLyon;Bob;x\n', '--append')
    expect(second.code, second.stderr).to.equal(0)
    const asked = await load('3.csv', 'Client;Prix\nEve;2\n', '--append')
    expect(asked.code).not.to.equal(0)
    expect(JSON.parse(asked.stderr).message).to.contain('“Prix”').and.contain('“Montant”')
    const answered = await load(
      '3.csv',
      'Client;Prix\nEve;2\n',
      '--append',
      '--map',
      'Prix=Montant',
    )
    expect(answered.code, answered.stderr).to.equal(0)
    const { rows } = await database.pool.query(
      'select client, montant::float, ville, note from ventes order by _row',
    )
    expect(rows).to.deep.equal([
      { client: 'Ann', montant: 1.5, ville: null, note: null },
      { client: 'Bob', montant: null, ville: 'Lyon', note: 'x' },
      { client: 'Eve', montant: 2, ville: null, note: null },
    ])
  })

  describe('with rules over all rows', () => {
    const RULED = {
      columns: [
        { name: 'Clé', type: 'text', rules: [{ unique: true }] },
        { name: 'Prix', type: 'number', rules: [{ unique: true, severity: 'warning' }] },
      ],
      rules: [{ unique: ['Clé', 'Prix'], name: 'both' }],
    }
    let shape: string

    before(async () => {
      shape = await file('ruled.json', RULED)
    })

    const load = async (table: string, name: string, csv: string, ...more: readonly string[]) =>
      cli('ingest', await file(name, csv), '--table', table, '--shape', shape, ...more)

    const keysOf = async (table: string) => {
      const { rows } = await database.pool.query<{ cle: string }>(
        `select cle from ${table} order by _row`,
      )
      return rows.map(({ cle }) => cle).join('')
    }

    it('shows nothing of a file that breaks one, and says what', async () => {
      const broken = await load('fresh', 'a.csv', 'Clé;Prix\na;1\nb;2\na;1\n')
      expect(broken.code, broken.stdout).to.equal(3)
      const { problem } = JSON.parse(broken.stderr)
      expect(problem).to.deep.include({
        total: 2,
        byRule: [
          { rule: 'unique', count: 1 },
          { rule: 'both', count: 1 },
        ],
      })
      expect(problem.errors[0]).to.include({ row: 3, column: 'Clé', value: 'a', rule: 'unique' })
      const { rows } = await database.pool.query("select to_regclass('fresh') as there")
      expect(rows).to.deep.equal([{ there: null }])
    })

    it('judges what is added together with what is there', async () => {
      const first = await load('added', 'a.csv', 'Clé;Prix\na;1\nb;2\nb2;2\n')
      expect(first.code, first.stderr).to.equal(0)
      const [warning] = JSON.parse(first.stdout).warnings
      expect(warning).to.include({ code: 'rule-broken', column: 'Prix', rule: 'unique', count: 1 })
      const broken = await load('added', 'b.csv', 'Prix;Clé\n3;c\n4;a\n', '--append')
      expect(broken.code, broken.stdout).to.equal(3)
      const { errors } = JSON.parse(broken.stderr).problem
      expect(errors).to.have.length(1)
      expect(errors[0]).to.include({ row: 2, column: 'Clé', value: 'a' })
      expect(await keysOf('added')).to.equal('abb2')
      const kept = await load('added', 'c.csv', 'Prix;Clé\n3;c\n', '--append')
      expect(kept.code, kept.stderr).to.equal(0)
      expect(await keysOf('added')).to.equal('abb2c')
    })

    it('judges what replaces rows by what stays of the others', async () => {
      const path = await file('pair.json', {
        columns: [
          { name: 'Id', type: 'number' },
          { name: 'Clé', type: 'text', rules: [{ unique: true }] },
        ],
      })
      const pair = async (csv: string, ...more: readonly string[]) =>
        cli('ingest', await file('p.csv', csv), '--table', 'pairs', '--shape', path, ...more)
      expect((await pair('Id;Clé\n1;a\n2;b\n')).code).to.equal(0)
      const swapped = await pair('Id;Clé\n1;b\n2;a\n3;c\n', '--upsert', 'Id')
      expect(swapped.code, swapped.stderr).to.equal(0)
      expect(await keysOf('pairs')).to.equal('bac')
      expect((await pair('Id;Clé\n4;a\n', '--upsert', 'Id')).code).to.equal(3)
      expect(await keysOf('pairs')).to.equal('bac')
    })

    it('lets one of two files in that are unique alone and not together', async () => {
      expect((await load('raced', 'a.csv', 'Clé;Prix\na;1\n')).code).to.equal(0)
      const outcomes = await Promise.all(
        ['b.csv', 'c.csv'].map((name) => load('raced', name, 'Clé;Prix\nx;7\n', '--append')),
      )
      expect(outcomes.map(({ code }) => code).toSorted()).to.deep.equal([0, 3])
      expect(await keysOf('raced')).to.equal('ax')
    })

    it('adds to no table that has come while its file was read', async () => {
      const names = ['d.csv', 'e.csv']
      const outcomes = await Promise.all(
        names.map((name) => load('both_new', name, `Clé;Prix\n${name[0]};1\n`, '--append')),
      )
      const loaded = names.filter((_, at) => outcomes[at]!.code === 0)
      expect(await keysOf('both_new')).to.have.length(loaded.length)
    })

    it('refuses to look into a source that is nowhere', async () => {
      const lookUp = { sourceUuid: '7b7f1a3e-1111-4222-8333-444455556666', column: 'Code' }
      const path = await file('nowhere.json', {
        columns: [{ name: 'Code', type: 'text', rules: [{ in: lookUp }] }],
      })
      const { code, stderr } = await cli('ingest', path, '--table', 'nowhere', '--shape', path)
      expect(code).to.equal(2)
      expect(stderr).to.contain(lookUp.sourceUuid).and.contain('not in this database')
    })
  })
})
