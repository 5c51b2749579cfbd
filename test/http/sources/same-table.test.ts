import { expect } from 'chai'
import ExcelJS from 'exceljs'
import * as fc from 'fast-check'

import { normaliseHeaders } from '../../../pipelines/index.ts'
import { jsonRows } from '../../../src/stack/read/json-rows.ts'
import { readJsonRows } from '../../../src/stack/read/pages.ts'
import { readState } from '../../../src/stack/read/snapshot.ts'
import { useAppWithForms } from '../../support/app.ts'
import { startFormServer } from '../../support/form-server.ts'
import { buildWorkflowWorld, type WorkflowWorld } from '../../support/workflow-world.ts'

type Cell = string | number | boolean | null

interface Table {
  readonly headers: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What is shown of a table, wherever it is shown. */
interface Shown {
  readonly columns: readonly { name: string; type: string }[]
  readonly rows: unknown
}

const TABLES = 6
const MOST_ROWS = 40

const pad = (value: number) => String(value).padStart(2, '0')
const day = fc.record({
  year: fc.integer({ min: 1930, max: 2060 }),
  month: fc.integer({ min: 1, max: 12 }),
  date: fc.integer({ min: 1, max: 28 }),
})
const words = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => `${text.replaceAll(/[\p{Cc}\p{Cn}\p{Cs}]/gu, '')}é "x", ;y`)

/** What one column is made of; a form, a workbook and JSON have numbers and booleans of their own. */
const KINDS: readonly fc.Arbitrary<Cell>[] = [
  words,
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 8),
  fc.boolean(),
  day.map(({ year, month, date }) => `${pad(date)}/${pad(month)}/${year}`),
  day.map(({ year, month, date }) => `${year}-${pad(month)}-${pad(date)}T08:30:15Z`),
  fc.integer({ min: 0, max: 999 }).map((value) => `00${value}`),
  fc.oneof(words, fc.integer({ min: 0, max: 99 }), fc.boolean()),
  fc.integer({ min: 1, max: 9_999_999 }).map((value) => `${value},5`),
  fc.constantFrom('oui', 'non', 'N/A'),
  fc.constantFrom('1899-12-30', '01/01/1970', '2024-02-29', 'null'),
  fc.constantFrom(1, 2.5, 'N/A', '-'),
  fc.constant(null),
]

const header = fc.oneof(
  fc.constantFrom('Nom', 'nom', 'Né le', 'Prix TTC', '__proto__', 'constructor', '_row', 'Nom_2'),
  fc.constantFrom('', '  ', 'Sans titre 1'),
  words,
)

const tables: fc.Arbitrary<Table> = fc
  .tuple(
    fc.array(fc.tuple(header, fc.constantFrom(...KINDS)), { minLength: 2, maxLength: 9 }),
    fc.integer({ min: 1, max: MOST_ROWS }),
  )
  .chain(([columns, rows]) => {
    const cells = columns.map(([, kind]) => fc.option(kind, { freq: 6 }))
    // A row with nothing in it is no row, and what is empty at the right of a sheet is no column.
    const row = fc.tuple(words, ...cells, fc.option(fc.boolean()))
    return fc.record({
      headers: fc.constant(['Identité', ...columns.map(([name]) => name), 'Fin']),
      rows: fc.array(row, { minLength: rows, maxLength: rows }),
    })
  })

/** Quoted commas and semicolons in every other cell of a table of one row. */
const HARD_TO_SPLIT: Table = {
  headers: ['Identité', 'aé "x", ;y', 'bé "x", ;y', 'constructor', '', 'Fin'],
  rows: [['cé "x", ;y', null, 'oui', null, 'é "x", ;y', true]],
}

const csvCell = (cell: Cell) => (cell === null ? '' : `"${String(cell).replaceAll('"', '""')}"`)
const toCsv = ({ headers, rows }: Table) =>
  [headers, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

/** Keys of an object are unique and never blank: the headers as they will be. */
function toJson({ headers, rows }: Table): string {
  const keys = normaliseHeaders(headers)
  return jsonRows(
    keys,
    rows.map((row) => row.map((cell) => JSON.stringify(cell))),
  )
}

async function toWorkbook({ headers, rows }: Table): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook()
  const sheet = workbook.addWorksheet('Feuil1')
  for (const row of [headers, ...rows]) sheet.addRow([...row])
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

describe('preview, source and launch', () => {
  const { app, forms } = useAppWithForms(startFormServer)

  let tablesMade = 0

  async function previewed({ as, path }: WorkflowWorld): Promise<Shown> {
    const { status, body, text } = await as.get(`${path}/source-preview?limit=100`)
    expect(status, text).to.equal(200)
    expect(body).to.include({ rowCount: body.data.length, isSample: false })
    return { columns: body.columns, rows: body.data }
  }

  /** Read by SQL from the table that the run names. */
  async function launched({ as, path }: WorkflowWorld): Promise<Shown> {
    const { status, body, text } = await as.post(`${path}/launch`)
    expect(status, text).to.equal(201)
    const [, table] = (body.table as string).split('.')
    const page = { offset: 0, limit: 100, sortBy: null, descending: false }
    const client = await app.database.pool.connect()
    try {
      const { rows } = await client.query<{ id: number }>(
        'select id from generated_tables where name = $1',
        [table],
      )
      const state = (await readState(client, rows[0]!.id))!
      const { columns } = state
      const read = await readJsonRows(client, state, page, new AbortController().signal)
      return { columns: columns.map(nameAndType), rows: JSON.parse(`[${read.join(',')}]`) }
    } finally {
      client.release()
    }
  }

  async function created({ as }: WorkflowWorld, origin: Record<string, string>): Promise<Shown> {
    const name = `t${(tablesMade += 1)}`
    const made = await as.post('/sources', { name, tableName: name, ...origin })
    expect(made.status, made.text).to.equal(201)
    const { body } = await as.get(`/sources/${made.body.uuid}/data?limit=100`)
    expect(body.columns).to.deep.equal(made.body.columns)
    return { columns: body.columns.map(nameAndType), rows: body.items }
  }

  const nameAndType = ({ name, type }: { name: string; type: string }) => ({ name, type })

  /** The same table from each kind of origin, and how a source names it. */
  async function origins(world: WorkflowWorld, table: Table) {
    const documents = {
      csv: toCsv(table),
      json: toJson(table),
      xlsx: await toWorkbook(table),
    }
    const found: {
      kind: string
      config: Record<string, string>
      source: Record<string, string>
    }[] = []
    for (const [kind, bytes] of Object.entries(documents)) {
      const documentUuid = await world.upload(`table.${kind}`, bytes)
      found.push({
        kind,
        config: { sourceType: 'document', documentUuid },
        source: { source: 'file', documentUuid },
      })
    }
    const formUuid = forms().add({ labels: table.headers, rows: table.rows })
    const { connectionUuid } = world
    found.push({
      kind: 'form',
      config: world.api(formUuid),
      source: { source: 'api', connectionUuid, apiResourceType: 'form', formUuid },
    })
    return found
  }

  it('show the same headers, types and values, whatever the data comes from', async () => {
    const world = await buildWorkflowWorld(app, forms())
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const seen: Record<string, Shown> = {}
        for (const { kind, config, source } of await origins(world, table)) {
          await world.configure(config)
          const preview = await previewed(world)
          expect(await launched(world), `the launch of ${kind}`).to.deep.equal(preview)
          expect(await created(world, source), `the source of ${kind}`).to.deep.equal(preview)
          seen[kind] = preview
        }
        for (const [kind, shown] of Object.entries(seen)) {
          expect(shown, `${kind} beside a form`).to.deep.equal(seen['form'])
        }
        expect(seen['form']!.columns.map(({ name }) => name)).to.deep.equal(
          normaliseHeaders(table.headers),
        )
        expect(seen['form']!.rows).to.have.length(table.rows.length)
      }),
      { numRuns: TABLES, endOnFailure: true, examples: [[HARD_TO_SPLIT]] },
    )
  })
})
