import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase, PoolClient } from 'pg'

import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { SourceBusyException, SourceNotFoundException } from '../../errors/index.ts'
import { findTable, readTree } from '../../stack/look.ts'
import { findLoad, type Load } from '../../stack/load.ts'
import { type LocatedState, locateState } from '../../stack/read/locate-state.ts'
import { tablesOf } from '../../stack/read/state-rows.ts'
import { quoteTable } from '../../stack/table/table-name.ts'
import { changesMessages } from './changes-messages.ts'

/**
 * Each failed attempt means that another publication took place; a table that changes this often
 * is not waited for.
 */
const MOST_TRIES = 20
const PAUSE_MS = 50

const SNAPSHOT = 'begin isolation level repeatable read read only'

export type States = readonly [before: LocatedState, after: LocatedState]
type StateLoads = readonly [before: Load | null, after: Load | null]

/**
 * Reads both states in one snapshot. Their tables are locked before the snapshot is taken, so that
 * nobody changes or drops them. A publication in between moves rows, so the states are then
 * located again.
 */
export async function withStates<R>(
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
