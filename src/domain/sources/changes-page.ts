import type { ClientBase } from 'pg'

import { shownName } from '../../../pipelines/index.ts'
import { offsetOf } from '../../db/page-query.ts'
import { invalidField } from '../../errors/index.ts'
import { driftBetween } from '../../stack/columns.ts'
import { MOST_BYTES, pageTooLarge, PageTooLongError } from '../../stack/read/bounded-rows.ts'
import {
  type ChangedRow,
  type ComparedStates,
  compareRows,
  KeyFlawError,
  type Side,
  type SideName,
} from '../../stack/read/compare-states.ts'
import { jsonObjectWriter } from '../../stack/read/json-rows.ts'
import { measureRowsByNumber, readRowsByNumber } from '../../stack/read/rows-by-number.ts'
import { readTypes } from '../../stack/read/state-rows.ts'
import { changesMessages } from './changes-messages.ts'
import type { ChangesPage, ChangesQuery } from './sources.ts'
import type { States } from './with-states.ts'

/** One page of the differences between two states, and the count of all differences. */
export async function readChangesPage(
  client: ClientBase,
  [from, to]: States,
  { key, kind, ...request }: ChangesQuery,
): Promise<ChangesPage> {
  const comparison: ComparedStates = {
    before: { columns: from.columns, pieces: await readTypes(client, from.pieces) },
    after: { columns: to.columns, pieces: await readTypes(client, to.pieces) },
    key: key ?? null,
  }
  if (key !== undefined) requireHeader(comparison, key)
  const { counts, rows } = await compareRows(client, comparison, {
    kind: kind ?? null,
    offset: offsetOf(request),
    limit: request.limit,
  }).catch((error: unknown) => {
    throw error instanceof KeyFlawError ? keyRefused(key!, error) : error
  })
  const rowsThatFit = await countRowsThatFit(client, comparison, rows)
  if (rowsThatFit < rows.length) {
    throw pageTooLarge(new PageTooLongError(rowsThatFit), offsetOf(request))
  }
  const showSide = (side: SideName) => show(client, comparison[side], numbersOf(rows, side), key)
  const before = await showSide('before')
  const after = await showSide('after')
  return {
    ...counts,
    drift: driftBetween(from.columns, to.columns),
    items: rows.map((row) => {
      const shown = { before: before(row.before), after: after(row.after) }
      return {
        kind: row.before === null ? 'added' : row.after === null ? 'removed' : 'changed',
        key: (shown.after ?? shown.before)!.key,
        before: shown.before?.json ?? null,
        after: shown.after?.json ?? null,
      }
    }),
    total: kind === undefined ? counts.added + counts.removed + counts.changed : counts[kind],
  }
}

function requireHeader(comparison: ComparedStates, key: string): void {
  for (const side of ['before', 'after'] as const) {
    if (comparison[side].columns.some(({ name }) => name === key)) continue
    throw invalidField('/query/key', changesMessages.notAHeaderOf({ state: STATE[side]() }))
  }
}

function keyRefused(key: string, { flaw: { side, value } }: KeyFlawError) {
  const state = STATE[side]()
  return invalidField(
    '/query/key',
    value === null
      ? changesMessages.keyBlank({ key, state })
      : changesMessages.keyRepeats({ key, value: shownName(value), state }),
  )
}

const STATE = { before: changesMessages.before, after: changesMessages.after } as const

const ENVELOPE_BYTES = 1024 * 1024
/** What surrounds two rows in the answer. */
const ITEM_BYTES = 64

/** Counted by the database, so that rows that do not fit are never read. */
async function countRowsThatFit(
  client: ClientBase,
  comparison: ComparedStates,
  rows: readonly ChangedRow[],
): Promise<number> {
  const measure = async (name: SideName) => {
    const side = comparison[name]
    const lengths = await measureRowsByNumber(client, side, numbersOf(rows, name))
    const keyAt = side.columns.findIndex((column) => column.name === comparison.key)
    const namesBytes = Buffer.byteLength(JSON.stringify(side.columns.map((column) => column.name)))
    return (number: string | null) => {
      if (number === null) return 0
      const cells = lengths.get(number)!
      return sum(cells) + cells.length + namesBytes + (cells[keyAt] ?? 0)
    }
  }
  const before = await measure('before')
  const after = await measure('after')
  let bytes = ENVELOPE_BYTES
  const tooLong = rows.findIndex((row) => {
    bytes += before(row.before) + after(row.after) + ITEM_BYTES
    return bytes > MOST_BYTES
  })
  return tooLong === -1 ? rows.length : tooLong
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const numbersOf = (rows: readonly ChangedRow[], side: SideName): string[] => [
  ...new Set(rows.map((row) => row[side]).filter((number) => number !== null)),
]

interface ShownRow {
  readonly json: string
  readonly key: string | null
}

async function show(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
  key: string | undefined,
): Promise<(number: string | null) => ShownRow | null> {
  const headers = side.columns.map(({ name }) => name)
  const keyAt = key === undefined ? -1 : headers.indexOf(key)
  const write = jsonObjectWriter(headers)
  const rows = await readRowsByNumber(client, side, numbers)
  return (number) => {
    if (number === null) return null
    const cells = rows.get(number)!
    return { json: write(cells), key: cells[keyAt] ?? null }
  }
}
