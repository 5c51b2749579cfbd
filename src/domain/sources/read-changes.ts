import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase, PoolClient } from 'pg'

import { untilAborted } from '../../db/until-aborted.ts'
import {
  invalidField,
  ServiceUnavailableException,
  SourceBusyException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { findStaged, type Load, findLoad } from '../../stack/load.ts'
import { changesMessages, sourceMessages } from './source-messages.ts'
import type { Source } from './source.ts'
import type { SourcesParts, Finders, ChangesPage, ChangesQuery } from './sources.ts'
import type { Actor } from '../actor.ts'
import { shownName, quoteTable } from '../../../pipelines/index.ts'
import { offsetOf } from '../../db/page-query.ts'
import { driftBetween } from '../../stack/columns.ts'
import { MOST_PAGE_BYTES } from '../../resources/page.ts'
import { pageTooLarge, PageTooLongError } from '../../stack/read/bounded-rows.ts'
import {
  type ChangedRow,
  type ComparedStates,
  compareRows,
  KeyFlawError,
  type Side,
  type SideName,
  measureRowsByNumber,
  readRowsByNumber,
} from '../../stack/read/compare-states.ts'
import { jsonObjectWriter } from '../../stack/read/json-rows.ts'
import { readTypes, tablesOf } from '../../stack/read/state-rows.ts'
import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { findTable, readTree } from '../../stack/look.ts'
import { type LocatedState, locateState } from '../../stack/read/locate-state.ts'

/** Longer than any comparison that somebody waits for. */
const TIMEOUT_MS = 10 * 60 * 1000

/** Compares two states of a source, whether or not they are shown. */
export function readChanges(parts: SourcesParts, sources: Pick<Finders, 'find' | 'findLoad'>) {
  return async (
    actor: Actor,
    uuid: string,
    query: ChangesQuery,
    signal: AbortSignal,
  ): Promise<ChangesPage> => {
    const source = await sources.find(actor, uuid)
    if (source.loadedAt === null) throw new SourceBusyException(sourceMessages.firstLoad())
    const from = query.from === undefined ? null : await sources.findLoad(actor, uuid, query.from)
    const to =
      query.to === undefined
        ? await onlyStaged(parts, source)
        : await sources.findLoad(actor, uuid, query.to)
    const { pool, nodes } = parts.exports
    await nodes.requireFor(source.tableId)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const leaving = AbortSignal.any([signal, timeout])
      return await untilAborted(pool, leaving, (client) =>
        withStates(client, source.tableId, [from, to], (states) =>
          readChangesPage(client, states, query),
        ),
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
  if (load === undefined) throw invalidField('/query/to', changesMessages.noneStaged())
  if (others.length === 0) return load
  const uuids = [load, ...others].map((staged) => staged.uuid)
  throw invalidField('/query/to', changesMessages.severalStaged({ uuids }))
}

/** One page of the differences between two states, and the count of all differences. */
async function readChangesPage(
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
    return bytes > MOST_PAGE_BYTES
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

/**
 * Each failed attempt means that another publication took place; a table that changes this often
 * is not waited for.
 */
const MOST_TRIES = 20
const PAUSE_MS = 50

const SNAPSHOT = 'begin isolation level repeatable read read only'

type States = readonly [before: LocatedState, after: LocatedState]
type StateLoads = readonly [before: Load | null, after: Load | null]

/**
 * Reads both states in one snapshot. Their tables are locked before the snapshot is taken, so that
 * nobody changes or drops them. A publication in between moves rows, so the states are then
 * located again.
 */
async function withStates<R>(
  client: PoolClient,
  tableId: number,
  loads: StateLoads,
  work: (states: States) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(SNAPSHOT)
      const places = placesOf(await locate(client, tableId, loads))
      await client.query('commit')
      await client.query(
        `${SNAPSHOT}; lock table only ${places.join(', only ')} in access share mode`,
      )
      const states = await locate(client, tableId, loads)
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
    if (attempt === MOST_TRIES) throw new SourceBusyException(changesMessages.tooFast())
    await delay(PAUSE_MS)
  }
}

const placesOf = (states: States): string[] => [
  ...new Set(states.flatMap(({ pieces }) => tablesOf(pieces)).map((name) => quoteTable(name))),
]

async function locate(
  client: ClientBase,
  tableId: number,
  [before, after]: StateLoads,
): Promise<States> {
  const table = await findTable(client, tableId)
  if (table === null) throw new SourceNotFoundException()
  if (!table.isPartitioned) throw new SourceBusyException(changesMessages.upgrading())
  const tree = await readTree(client, tableId)
  // A staged load may have been published or dropped since it was found.
  const stateAfter = async (load: Load | null) =>
    locateState(client, table, tree, load && (await findLoad(client, tableId, load.uuid)))
  return [await stateAfter(before), await stateAfter(after)]
}
