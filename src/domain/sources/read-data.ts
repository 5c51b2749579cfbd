import type { Pool, PoolClient } from 'pg'

import { SourceBusyException, SourceNotFoundException, invalidField } from '../../errors/index.ts'
import { jsonRows } from '../tables/json-rows.ts'
import { readJsonCells, RowsTooLongError } from '../tables/read-rows.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import { schemaOf } from '../tables/table-name.ts'
import { readState, type TableState } from '../tables/table-state.ts'
import { TableGoneError, withSnapshot } from '../tables/with-snapshot.ts'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'

export function readData(pool: Pool, find: Sources['find']): Sources['readPage'] {
  return async (actor, uuid, { page, limit, sort, order }) => {
    const source = await find(actor, uuid)
    return inSnapshot(pool, source, async (client, state) => {
      const { columns, rowCount } = state
      const cells = await readJsonCells(client, state, {
        offset: (page - 1) * limit,
        limit,
        sortBy: sort === undefined ? null : columnNamed(columns, sort),
        descending: order === 'desc',
      }).catch((error: unknown) => {
        throw error instanceof RowsTooLongError ? tooLong(error) : error
      })
      return {
        columns,
        items: jsonRows(
          columns.map(({ name }) => name),
          cells,
        ),
        total: rowCount,
      }
    })
  }
}

/** The table in one state, with what is on record of just that state. */
export async function inSnapshot<R>(
  pool: Pool,
  source: Source,
  work: (client: PoolClient, state: TableState) => Promise<R>,
  afterFailure: 'rollback' | 'close' = 'rollback',
): Promise<R> {
  if (!source.isLoaded)
    throw new SourceBusyException('The source is being loaded for the first time')
  const table = { schema: schemaOf(source.enterpriseId), table: source.tableName }
  try {
    return await withSnapshot(
      pool,
      table,
      async (client) => {
        const state = await readState(client, source.tableId)
        if (state === null) throw new SourceNotFoundException()
        return work(client, state)
      },
      afterFailure,
    )
  } catch (error) {
    if (error instanceof TableGoneError)
      throw new SourceNotFoundException(undefined, { cause: error })
    throw error
  }
}

export function tooLong(cause: RowsTooLongError) {
  const message = 'must be smaller: these rows are too long for one page; an export holds them all'
  return invalidField('/query/limit', message, cause)
}

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((other) => other.name === name)
  if (column) return column
  const message = 'must be the header of a column'
  throw invalidField('/query/sort', message)
}
