import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import ExcelJS from 'exceljs'
import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, footprint, sourceForm } from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

interface Fixture {
  readonly file: string
  readonly content: Uint8Array<ArrayBuffer>
  readonly options: Record<string, unknown>
}

/** Every input that the readers of text are tested with, with the options that go with it. */
function fixtures(): Fixture[] {
  const csv = filesOf('csv', /\.json$/).map((path) => ({
    ...contentOf(path),
    options: (readJson(path.replace(/\.csv(\.gz)?$/, '.json'))['options'] ??
      {}) as Fixture['options'],
  }))
  const json = filesOf('json', /\.(table|options)\.json$/).map((path) => ({
    ...contentOf(path),
    options: readJson(path.replace(/\.\w+$/, '.options.json')),
  }))
  return [...csv, ...json]
}

const filesOf = (folder: string, besides: RegExp): string[] =>
  readdirSync(join(FIXTURES, folder))
    .filter((name) => !besides.test(name))
    .map((name) => join(FIXTURES, folder, name))

const contentOf = (path: string) => ({
  file: path.slice(FIXTURES.length + 1),
  content: new Uint8Array(readFileSync(path)),
})

function readJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

const shape = ({ columns }: { columns: Record<string, unknown>[] }) =>
  columns.map(({ name, column, type, sqlType, dateFormat, pattern }) => ({
    name,
    column,
    type,
    sqlType,
    dateFormat,
    pattern,
  }))

describe('previews', () => {
  const app = useApp()
  let client: TestClient
  let enterpriseId: number

  before(async () => {
    const admin = await app.build.user()
    enterpriseId = admin.enterprise!.id
    client = app.client.as(admin)
  })

  const preview = (content: string | Uint8Array<ArrayBuffer> | null, fields = {}, query = '') =>
    client.request('POST', `/sources/preview${query}`, { content: sourceForm(fields, content) })

  async function samePreviewCreationAndReload({ content, options }: Omit<Fixture, 'file'>) {
    const given = { options: { onInvalid: 'null', ...options } }
    const seen = await preview(content, given)
    const source = await createFromFile(client, content, given)
    expect(source.status >= 400).to.equal(seen.status >= 400, `${seen.text}\n${source.text}`)
    if (seen.status >= 400) return
    expect(shape(source.body)).to.deep.equal(shape(seen.body))
    const data = await client.get(`/sources/${source.body.uuid}/data?limit=20`)
    expect(data.body.items).to.deep.equal(seen.body.data)
    const reloaded = await client.post(`/sources/${source.body.uuid}/reload`, {})
    expect(reloaded.status, reloaded.text).to.equal(200)
    expect(shape(reloaded.body)).to.deep.equal(shape(seen.body))
  }

  for (const fixture of fixtures()) {
    it('say of each line what it was taken for, counted as the options count it', async () => {
      const file = 'Ventes de mars;\n\nNom;Prix\nAnne;1\n\nBruno;2\n'
      const { body } = await preview(file)
      expect(body['lines']).to.deep.equal([
        { line: 1, role: 'title' },
        { line: 3, role: 'header' },
        { line: 4, role: 'data' },
        { line: 6, role: 'data' },
      ])
      const cut = await preview(file, { options: { firstRow: 6 } })
      expect(cut.body['data']).to.deep.equal([{ Nom: 'Bruno', Prix: 2 }])
    })

    it(`show what a creation and a reload of ${fixture.file} make`, () =>
      samePreviewCreationAndReload(fixture))
  }

  it('show what a creation and a reload of a workbook make', async () => {
    const workbook = new ExcelJS.Workbook()
    const sheet = workbook.addWorksheet('Feuille')
    sheet.addRow(['Nom', 'Le', null, 'Nom', 'Vrai'])
    sheet.addRow(['Ada', new Date('2024-01-31T00:00:00Z'), 1.5, 'x', true])
    sheet.addRow(['Bob', null, 2, null, false])
    const content = new Uint8Array(await workbook.xlsx.writeBuffer())
    await samePreviewCreationAndReload({ content, options: {} })
    const { body, text } = await preview(content)
    expect(body.columns, text).to.be.an('array')
    expect(body.columns.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Nom',
      'Le',
      'Sans titre 1',
      'Nom_2',
      'Vrai',
    ])
  })

  it('carry the dialect and, per column, the evidence', async () => {
    const { body } = await preview('a;d\n1,5;01/02/2024\n2,5;03/04/2024\n')
    expect(body).to.include({ rowCount: 2, isSample: false, format: 'csv', invalidCells: 0 })
    expect(body.dialect.delimiter.value).to.equal(';')
    const [, date] = body.columns
    expect(date).to.include({ type: 'date', dateFormat: 'DD/MM/YYYY' })
    expect(date.evidence.ambiguous).to.equal(true)
    expect(date.evidence.candidates[0]).to.have.property('accepted', 2)
  })

  it('name the pattern that would make dates of a column', async () => {
    const { body } = await preview('jour,n\n3 mars 2024,20240131\n14 juillet 2024,20240201\n')
    const reading = (name: string, pattern: string) => ({
      options: { columns: [{ name, type: 'date', pattern }] },
      message: `Read the dates of “${name}” by the pattern ${pattern}.`,
      leaves: 0,
    })
    expect(body.columns.map(({ type }: { type: string }) => type)).to.deep.equal(['text', 'number'])
    expect(body.warnings).to.deep.equal([
      {
        code: 'pattern-would-fit',
        message: '“jour” would be read as dates with the type date and the pattern d MMMM yyyy.',
        column: 'jour',
        remedies: [reading('jour', 'd MMMM yyyy')],
      },
      {
        code: 'pattern-would-fit',
        message: '“n” would be read as dates with the type date and the pattern yyyyMMdd.',
        column: 'n',
        remedies: [reading('n', 'yyyyMMdd')],
      },
    ])
  })

  it('show bad cells as null and count them', async () => {
    const options = { columns: [{ name: 'd', type: 'date' }] }
    const { status, body } = await preview('d\nhier\n2024-01-01\n', { options })
    expect(status).to.equal(200)
    expect(body.data).to.deep.equal([{ d: null }, { d: '2024-01-01' }])
    expect(body.invalidCells).to.equal(1)
  })

  it('store nothing, and say whether there are more rows than they show', async () => {
    const before = await footprint(app, enterpriseId)
    const content = `n\n${Array.from({ length: 200_000 }, (_, at) => at).join('\n')}\n`
    const { body, text } = await preview(content, {}, '?limit=5')
    expect(body.data, text).to.deep.equal([0, 1, 2, 3, 4].map((n) => ({ n })))
    expect(body).to.include({ rowCount: 5, isSample: true })
    expect(await footprint(app, enterpriseId)).to.deep.equal(before)
  })

  it('read a stored document, in a form or in JSON', async () => {
    const upload = formOf('doc.csv', 'a\n1\n')
    const { body: document } = await client.request('POST', '/documents', upload)
    const inJson = await client.post('/sources/preview', { documentUuid: document.uuid })
    const inForm = await preview(null, { documentUuid: document.uuid })
    expect(inJson.status, inJson.text).to.equal(200)
    expect(inForm.text).to.equal(inJson.text)
    const stranger = app.client.as(await app.build.user())
    const foreign = await stranger.post('/sources/preview', { documentUuid: document.uuid })
    expect(foreign.status).to.equal(404)
  })

  it('are refused with neither file nor document, with both of them, and with wrong options', async () => {
    const neither = await client.post('/sources/preview', {})
    expect(neither.status).to.equal(400)
    expect(neither.body.errors[0].pointer).to.equal('/documentUuid')
    const both = await preview('a\n1\n', { documentUuid: randomUUID() })
    expect(both.status, both.text).to.equal(400)
    expect(both.body.errors[0].pointer).to.equal('/documentUuid')
    const wrong = await preview('a\n1\n', { options: { timezone: 5 } })
    expect(wrong.body.errors[0].pointer).to.equal('/options/timezone')
    const columns = [{ name: 'a', type: 'date', pattern: 'YYYYMMDD' }]
    const pattern = await preview('a\n1\n', { options: { columns } })
    expect(pattern.status, pattern.text).to.equal(400)
    expect(pattern.body.errors[0].pointer).to.equal('/options/columns/0/pattern')
    expect(pattern.body.detail).to.match(/“YYYY” has no meaning/)
    const unknown = await preview('a\n1\n', {
      options: { columns: [{ name: 'zzz', type: 'text' }] },
    })
    expect(unknown.status).to.equal(400)
    await created(createFromFile(client, 'a\n1\n'))
  })

  it('say how a file is sent to whoever sends it as the body itself', async () => {
    const { status, body } = await client.request('POST', '/sources/preview', {
      content: 'a;b\n1;2\n',
      type: 'text/csv',
    })
    expect([status, body.code]).to.deep.equal([415, 'UnsupportedMediaTypeException'])
    expect(body.detail).to.contain('multipart/form-data').and.contain('application/json')
  })
})
