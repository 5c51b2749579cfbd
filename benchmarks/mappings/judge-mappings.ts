import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import { createEngine, type Expectation, type Mapping } from '../../pipelines/index.ts'
import { expectationOf } from '../../src/domain/shapes/expect.ts'
import { columnsGiven } from '../../src/domain/shapes/shape-columns.ts'
import { rememberAliases } from '../../src/domain/shapes/shape-versions.ts'
import { expectationOfShape } from '../../src/stack/fill/target-columns.ts'
import type { Figure } from '../benchmark.ts'
import { bytesOf } from '../support/bytes-of.ts'
import type { Stand } from '../support/expected-loads.ts'
import { LABELLED } from './labelled-headers.ts'
import { type PublishedMapping, readMappings } from './published-mappings.ts'

/** From here on people take a proposal without a second look. */
const SURE = 0.9

type Previewed = (
  expectation: Expectation,
  headers: readonly string[],
) => Promise<Mapping['headers']>

/** Shows a file that has these headers, each over a text. */
function previewerIn(folder: string): Previewed {
  const engine = createEngine({ tempDir: folder })
  const path = join(folder, 'headers.json')
  return async (expectation, headers) => {
    await writeFile(path, JSON.stringify([Object.fromEntries(headers.map((name) => [name, 'x']))]))
    const control = { limit: 1, signal: AbortSignal.timeout(60_000), expectation }
    const { mapping } = await engine.preview(bytesOf(path), {}, control)
    return mapping!.headers
  }
}

const textColumns = (fields: Iterable<string>, aliases: (field: string) => readonly string[]) =>
  columnsGiven(
    [...fields].map((name) => ({ name, type: 'text' as const, aliases: aliases(name) })),
    null,
  ).columns

const NOTHING_KNOWN = { unknown: 'add', missing: 'empty', left: [], rules: [] } as const

/** How often a proposal that says it is sure is right, in a list that was written by hand. */
export async function judgeProposals({ folder }: Stand): Promise<Figure[]> {
  const previewed = previewerIn(folder)
  const sure: boolean[] = []
  for (const [header, names, is] of LABELLED) {
    const columns = textColumns(names, () => [])
    const shape = { ...NOTHING_KNOWN, columns, heldColumns: [] }
    const [met] = await previewed(expectationOfShape({ shape, given: {} }), [header])
    if (met!.by === 'proposed' && met!.confidence >= SURE) sure.push(met!.column === is)
  }
  return [
    {
      what: `% right, of the ${sure.length} proposals at ${SURE} or more of ${LABELLED.length} headers labelled by hand`,
      found: shareOf(sure),
      atLeast: 95,
    },
  ]
}

/** How much of each mapping the others know, where its publisher is left out. */
export async function judgeMemory(stand: Stand, from: string): Promise<Figure[]> {
  const { pool } = stand
  const mappings = readMappings(from)
  const previewed = previewerIn(stand.folder)
  const { tableId, shapes } = await remember(pool, mappings)
  const answered: boolean[] = []
  const sure: boolean[] = []
  let headers = 0
  for (const own of Map.groupBy(shapes, ({ publisher }) => publisher).values()) {
    for (const { id } of own) await rememberAliases(pool, id, [])
    for (const { id, fields } of own) {
      await pool.query('update sources set shape_id = $2 where table_id = $1', [tableId, id])
      const expects = await expectationOf(pool, tableId)
      for (const met of await previewed(expectationOfShape(expects), [...fields.keys()])) {
        const isRight = met.column === fields.get(met.header)
        headers++
        if (met.by === 'proposed' && met.confidence >= SURE) sure.push(isRight)
        if (UNASKED.has(met.by)) answered.push(isRight)
      }
    }
    for (const { id, columns } of own) await rememberAliases(pool, id, columns)
  }
  const whose = `of ${shapes.length} published mappings, leaving one publisher out`
  return [
    {
      what: `% of the ${headers} headers answered unasked, ${whose}`,
      found: (100 * answered.length) / headers,
      atLeast: 84,
    },
    { what: `% of those right, ${whose}`, found: shareOf(answered), atLeast: 98 },
    {
      what: `% right, of the ${sure.length} proposals at ${SURE} or more, ${whose}`,
      found: shareOf(sure),
      atLeast: 95,
    },
  ]
}

const UNASKED: ReadonlySet<string> = new Set(['name', 'folded', 'alias'])

const shareOf = (right: readonly boolean[]): number =>
  (100 * right.filter(Boolean).length) / right.length

/** A shape each, which the others of the enterprise remember; a source takes on one after the other. */
async function remember(pool: Pool, mappings: readonly PublishedMapping[]) {
  const { rows: made } = await pool.query<{ id: number; tableId: number }>(
    `with enterprise as (
       insert into enterprises (name, account_type) values ('Mappings', 'enterprise') returning id),
     made as (
       insert into generated_tables (enterprise_id, name) select id, 'mapped' from enterprise
       returning id, enterprise_id)
     insert into sources (enterprise_id, table_id, name, source)
     select enterprise_id, id, 'Mapped', 'file' from made
     returning enterprise_id as id, table_id as "tableId"`,
  )
  const { id: enterpriseId, tableId } = made[0]!
  // Every source has a shape of its own.
  await pool.query(
    `insert into shapes (enterprise_id, source_id)
     select enterprise_id, id from sources where table_id = $1`,
    [tableId],
  )
  const shapes = []
  for (const mapping of mappings) {
    const { fields } = mapping
    const headerOf = new Map([...fields].map(([header, field]) => [field, header]))
    const { rows } = await pool.query<{ id: number }>(
      'insert into shapes (enterprise_id, name, columns) values ($1, $2, $3) returning id',
      [enterpriseId, mapping.publisher, JSON.stringify(textColumns(fields.values(), () => []))],
    )
    const columns = textColumns(fields.values(), (field) => [headerOf.get(field)!])
    const { id } = rows[0]!
    await rememberAliases(pool, id, columns)
    shapes.push({ ...mapping, id, columns })
  }
  await pool.query('analyze shape_aliases')
  return { tableId, shapes }
}
