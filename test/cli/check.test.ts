import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { makeFolder } from '../support/folder.ts'
import { runCli } from '../support/cli.ts'
import { created, createFromFile, sourceForm } from '../support/sources.ts'

const CLI = new URL('../../src/cli/start.js', import.meta.url).pathname
const SHAPE = {
  columns: [
    { name: 'Nom', type: 'text', rules: [{ required: true }] },
    { name: 'Prix', type: 'number', rules: [{ minimum: 0 }] },
  ],
}

describe('cli check', () => {
  const app = useApp()
  let folder: string
  let shape: string

  before(async () => {
    folder = await makeFolder('cli-check')
    shape = join(folder, 'shape.json')
    await writeFile(shape, JSON.stringify(SHAPE))
  })

  after(() => rm(folder, { recursive: true }))

  async function check(file: string, ...args: string[]) {
    const child = spawn(process.execPath, [CLI, 'check', '-', ...args])
    child.stdin.end(file)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { stdout, stderr, code: code as number }
  }

  it('says everything that is wrong, and exits with 2', async () => {
    const { stdout, code, stderr } = await check(
      'Nom;Prix\nAnn;1\n;-2\nBob;x\nde;trop;peu\n',
      '--shape',
      shape,
    )
    expect(code, stderr).to.equal(2)
    expect(stdout).to.include('line 3, Nom: A value is required')
    expect(stdout).to.include('line 3, Prix: “-2” is below 0')
    expect(stdout).to.include('line 4, Prix: Invalid number')
    expect(stdout).to.match(/structure\s+1/)
  })

  it('says the same to programs', async () => {
    const { stdout, code } = await check('Nom;Prix\n;1\n', '--shape', shape, '--json')
    expect(code).to.equal(2)
    expect(JSON.parse(stdout)).to.deep.include({
      valid: false,
      rows: 1,
      totalErrors: 1,
      byRule: [{ rule: 'required', count: 1 }],
    })
  })

  it('takes a Table Schema as well, and says what of it has no counterpart', async () => {
    const path = join(folder, 'schema.json')
    const fields = [
      { name: 'Nom', type: 'string', rdfType: 'x' },
      { name: 'Prix', type: 'number', decimalChar: ',' },
    ]
    await writeFile(path, JSON.stringify({ title: 'Prix', fields, missingValues: ['', 'NC'] }))
    const { stdout, stderr, code } = await check(
      'Nom;Prix\nAnn;1,5\nBob;2.5\nCé;NC\n',
      '--shape',
      path,
    )
    expect(code, stderr).to.equal(2)
    expect(stdout).to.include('line 3, Prix: “2.5” is not a number written like 1234,5')
    expect(stdout).to.match(/written\s+1/)
    expect(stderr).to.include('“rdfType” of the field “Nom” has no counterpart here')
  })

  it('refuses rules of a Table Schema that cannot be, where they stand', async () => {
    const path = join(folder, 'ruled.json')
    for (const [rules, place] of [
      [{}, '“rules” (fields, item 1) must be a list'],
      [[{ format: 'x' }], '“format” (fields, item 1, rules, item 1) must be one of'],
      [[{ minimum: 0 }], '“minimum” (columns, item 1, rules, item 1)'],
    ] as const) {
      const fields = [{ name: 'Nom', type: 'string', rules }]
      await writeFile(path, JSON.stringify({ fields }))
      const { stderr, code } = await check('Nom\nAnn\n', '--shape', path)
      expect(code, stderr).to.equal(2)
      expect(stderr).to.include(place)
    }
  })

  it('reads numbers in a way of their own wherever in the file they are', async () => {
    const path = join(folder, 'numbers.json')
    const fields = [
      { name: 'a', type: 'number', bareNumber: false },
      { name: 'b', type: 'number', decimalChar: ',', groupChar: '.' },
    ]
    await writeFile(path, JSON.stringify({ fields }))
    const plain = Array.from({ length: 12_000 }, (_, at) => `${at};${at}\n`).join('')
    const { stdout, code } = await check(`a;b\n${plain}env. 12.5 m;1.234,5\n1;x\n`, '--shape', path)
    expect(code, stdout).to.equal(2)
    expect(stdout).to.include('1 cell does not fit')
    expect(stdout).to.include('line 12003, b: Invalid number: “x”')
  })

  it('asks that no values are there twice as the service does', async () => {
    const columns = [
      { name: 'Id', type: 'text', rules: [{ unique: true }] },
      { name: 'Prix', type: 'number', rules: [{ unique: true, name: 'one price' }] },
      { name: 'Jour', type: 'date', rules: [{ unique: true, severity: 'warning' }] },
      { name: 'Actif', type: 'boolean' },
      { name: 'Note', type: 'text' },
    ]
    const rules = [{ unique: ['Jour', 'Actif', 'Prix'], message: 'Three are the same' }]
    const path = join(folder, 'unique.json')
    await writeFile(path, JSON.stringify({ columns, rules }))
    const many = Array.from({ length: 3000 }, (_, at) => `${'x'.repeat(100)}${at % 7};${at};;;n`)
    const file = [
      'Id;Prix;Jour;Actif;Note',
      'A;1,0;2024-01-01;oui;n',
      'B;1;2024-01-01;oui;n',
      'A;1,50;2024-01-02;non;n',
      ';;;oui;n',
      'C;1,5;2024-01-02;oui;n',
      ';1.234567890123456789012;2024-01-01;oui;n',
      'é;1,00;2024-01-01;oui;n',
      ...many,
    ].join('\n')
    const as = app.client.as(await app.build.user())
    const { body: made } = await as.post('/shapes', { name: 'Unique', columns, rules })
    const content = sourceForm({ shapeUuid: made.uuid }, file)
    const { body, status, text: answer } = await as.request('POST', '/sources/check', { content })
    expect(status, answer).to.equal(200)
    const { stdout, code } = await check(file, '--shape', path, '--json')
    expect(code).to.equal(2)
    const { shape: _, ...asked } = body
    expect(JSON.parse(stdout)).to.deep.equal(asked)
    expect(body.byRule).to.have.length(3)
  })

  it('looks into other sources where there is a database, and says where there is none', async () => {
    const as = app.client.as(await app.build.user())
    const towns = await created(createFromFile(as, 'Insee;Nom\n69123;Lyon\n75056;Paris\n'))
    const lookUp = { sourceUuid: towns.uuid, column: 'Insee' }
    const path = join(folder, 'looking.json')
    const looking = { name: 'Code', type: 'text', rules: [{ in: lookUp, name: 'known' }] }
    await writeFile(path, JSON.stringify({ columns: [looking] }))
    const csv = 'Code\n69123\n00000\n'
    const args = ['--shape', path, '--json']
    const alone = await check(csv, ...args)
    expect(alone.code, alone.stderr).to.equal(0)
    const { warnings } = JSON.parse(alone.stdout)
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include({ code: 'rule-not-asked', column: 'Code', rule: 'known' })
    const within = ['--database-url', app.database.url]
    const asked = await check(csv, ...args, ...within)
    expect(asked.code, asked.stderr).to.equal(2)
    const { errors, byRule, warnings: none } = JSON.parse(asked.stdout)
    expect([byRule, none]).to.deep.equal([[{ rule: 'known', count: 1 }], []])
    expect(errors[0]).to.include({ row: 2, line: 3, column: 'Code', value: '00000' })
    const file = join(folder, 'towns.csv')
    const ingest = (content: string) =>
      writeFile(file, content).then(() =>
        runCli(['ingest', file, '--table', 'codes', '--shape', path, ...within], {}),
      )
    expect((await ingest(csv)).code).to.equal(3)
    expect((await ingest('Code\n75056\n')).code).to.equal(0)
  })

  it('finds nothing wrong with a file that is right, with or without a shape', async () => {
    const { stdout, code } = await check('Nom;Prix\nAnn;1\n', '--shape', shape)
    expect([stdout, code]).to.deep.equal(['1 row, nothing is wrong\n', 0])
    expect((await check('a;b\n1;2\n')).code).to.equal(0)
  })
})
