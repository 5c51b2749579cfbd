import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase, PoolClient } from 'pg'

import { shownName } from '../../../pipelines/index.ts'
import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { untilAborted } from '../../db/until-aborted.ts'
import {
  invalidField,
  ServiceUnavailableException,
  SourceBusyException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { offsetOf } from '../../db/page-query.ts'
import { driftBetween } from '../loads/drift.ts'
import { findTable } from '../loads/generated-table.ts'
import { findLoad, findStaged } from '../loads/list-loads.ts'
import type { Load } from '../loads/load.ts'
import { locateState, type LocatedState } from '../loads/locate-state.ts'
import { readTree } from '../loads/read-tree.ts'
import { type ChangedRow, compareRows } from '../tables/compare-rows.ts'
import type { Comparison, Side } from '../tables/comparison.ts'
import { MOST_BYTES, PageTooLongError } from '../tables/bounded-rows.ts'
import { jsonObjectWriter } from '../tables/json-rows.ts'
import { KeyFlawError } from '../tables/key-flaws.ts'
import { pageTooLarge } from '../tables/page-too-large.ts'
import { measureRowsByNumber, readRowsByNumber } from '../tables/rows-by-number.ts'
import { readTypes, tablesOf } from '../tables/state-rows.ts'
import type { TableName } from '../tables/table-name.ts'
import { quoteTable } from '../tables/table-name.ts'
import type { Source } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { ChangesPage, ChangesQuery, Sources } from './sources.ts'
import { changesMessages } from './changes-messages.ts'
import { sourceMessages } from './source-messages.ts'

/** Longer than any comparison takes that somebody waits for. */
const TIMEOUT_MS = 10 * 60 * 1000
/** Another publication each time: then the next try meets none. */
const MOST_TRIES = 20
const PAUSE_MS = 50

/** How two states of a source differ, whether they are shown or not. */
export function readChanges(
  parts: SourcesParts,
  sources: Pick<Sources, 'find' | 'findLoad'>,
): Sources['readChanges'] {
  return async (actor, uuid, query, signal) => {
    const source = await sources.find(actor, uuid)
    if (source.loadedAt === null) {
      throw new SourceBusyException(sourceMessages.firstLoad())
    }
    const from = query.from === undefined ? null : await sources.findLoad(actor, uuid, query.from)
    const to =
      query.to === undefined
        ? await onlyStaged(parts, source)
        : await sources.findLoad(actor, uuid, query.to)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return await untilAborted(parts.exportPool, AbortSignal.any([signal, timeout]), (client) =>
        withStates(client, source, [from, to], (states) => compare(client, states, query)),
      )
    } catch (error) {
      throw timeout.aborted && !signal.aborted ? tookTooLong(error) : error
    }
  }
}

const tookTooLong = (cause: unknown) =>
  new ServiceUnavailableException(changesMessages.tookTooLong(), {
    headers: { 'retry-after': '60' },
    cause,
  })

async function onlyStaged({ pool }: SourcesParts, { tableId }: Source): Promise<Load> {
  const [load, ...others] = await findStaged(pool, tableId)
  if (load === undefined) {
    throw invalidField('/query/to', changesMessages.noneStaged())
  }
  if (others.length === 0) return load
  const uuids = [load, ...others].map((staged) => staged.uuid)
  throw invalidField('/query/to', changesMessages.severalStaged({ uuids }))
}

const SNAPSHOT = 'begin isolation level repeatable read read only'

type States = readonly [before: LocatedState, after: LocatedState]

/**
 * Both states as one snapshot knows them. What they lie in is locked before the snapshot is taken, so
 * that nobody changes or drops it; a publication that came between the two moves rows, and the states
 * are looked for again.
 */
async function withStates<R>(
  client: PoolClient,
  source: Source,
  loads: readonly [Load | null, Load | null],
  work: (states: States) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(SNAPSHOT)
      const places = placesOf(await locate(client, source, loads))
      await client.query('commit')
      await client.query(
        `${SNAPSHOT}; lock table only ${places.join(', only ')} in access share mode`,
      )
      const states = await locate(client, source, loads)
      if (placesOf(states).every((place) => places.includes(place))) {
        const result = await work(states)
        await client.query('commit')
        return result
      }
      await client.query('rollback')
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => failure)
      if (!(translateDatabaseError(error) instanceof MissingTableError)) throw error
    }
    if (attempt === MOST_TRIES) {
      throw new SourceBusyException(changesMessages.tooFast())
    }
    await delay(PAUSE_MS)
  }
}

const placesOf = (states: States): string[] => [
  ...new Set(states.flatMap(({ pieces }) => tablesOf(pieces)).map(place)),
]

const place = (name: TableName): string => quoteTable(name)

async function locate(
  client: ClientBase,
  { tableId }: Source,
  [from, to]: readonly [Load | null, Load | null],
): Promise<States> {
  const table = await findTable(client, tableId)
  if (table === null) throw new SourceNotFoundException()
  if (!table.isPartitioned) throw new SourceBusyException(changesMessages.upgrading())
  const tree = await readTree(client, tableId)
  // One that was staged may have been published or dropped since it was found.
  const stateAfter = async (load: Load | null) =>
    locateState(client, table, tree, load && (await findLoad(client, tableId, load.uuid)))
  return [await stateAfter(from), await stateAfter(to)]
}

async function compare(
  client: ClientBase,
  [from, to]: States,
  { key, kind, ...request }: ChangesQuery,
): Promise<ChangesPage> {
  const comparison: Comparison = {
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
  const showSide = (at: 'before' | 'after') =>
    show(client, comparison[at], numbersOf(rows, at), key)
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

function requireHeader(comparison: Comparison, key: string): void {
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

/** Told by the database: what does not fit is never read. */
async function countRowsThatFit(
  client: ClientBase,
  comparison: Comparison,
  rows: readonly ChangedRow[],
): Promise<number> {
  const measure = async (at: 'before' | 'after') => {
    const side = comparison[at]
    const lengths = await measureRowsByNumber(client, side, numbersOf(rows, at))
    const keyAt = side.columns.findIndex(({ name }) => name === comparison.key)
    const namesBytes = Buffer.byteLength(JSON.stringify(side.columns.map(({ name }) => name)))
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

const ENVELOPE_BYTES = 1024 * 1024
/** What stands around two rows. */
const ITEM_BYTES = 64

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const numbersOf = (rows: readonly ChangedRow[], at: 'before' | 'after'): string[] => [
  ...new Set(rows.map((row) => row[at]).filter((number) => number !== null)),
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
