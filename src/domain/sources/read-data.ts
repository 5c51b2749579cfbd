import type { Pool, PoolClient } from 'pg'

import { SourceBusyException, SourceNotFoundException, invalidField } from '../../errors/index.ts'
import { jsonRows } from '../tables/json-rows.ts'
import { readJsonCells, RowsTooLongError } from '../tables/read-rows.ts'
import { TableGoneError, withSnapshot } from '../tables/with-snapshot.ts'
import { type Source, type SourceColumn, tableOf } from './source.ts'
import type { Sources } from './sources.ts'

export interface Shape {
  readonly columns: readonly SourceColumn[]
  readonly rowCount: number
}

export function readData(pool: Pool, find: Sources['find']): Sources['readPage'] {
  return async (actor, uuid, { page, limit, sort, order }) => {
    const source = await find(actor, uuid)
    return inSnapshot(pool, source, async (client, { columns, rowCount }) => {
      const cells = await readJsonCells(client, tableOf(source), columns, {
        offset: (page - 1) * limit,
        limit,
        total: rowCount,
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

/** The table as it is, with the columns and the count that belong to just that state of it. */
export async function inSnapshot<R>(
  pool: Pool,
  source: Source,
  work: (client: PoolClient, shape: Shape) => Promise<R>,
  afterFailure: 'rollback' | 'close' = 'rollback',
): Promise<R> {
  if (!source.isLoaded)
    throw new SourceBusyException('The source is being loaded for the first time')
  try {
    return await withSnapshot(
      pool,
      tableOf(source),
      async (client) => {
        const { rows } = await client.query<{ columns: SourceColumn[]; row_count: number }>(
          'select columns, row_count from sources where id = $1',
          [source.id],
        )
        const [row] = rows
        if (!row) throw new SourceNotFoundException()
        return work(client, { columns: row.columns, rowCount: row.row_count })
      },
      afterFailure,
    )
  } catch (error) {
    if (error instanceof TableGoneError)
      throw new SourceNotFoundException(undefined, { cause: error })
    throw error
  }
}

function tooLong(cause: RowsTooLongError) {
  const message = 'must be smaller: these rows are too long for one page; an export holds them all'
  return invalidField('/query/limit', message, cause)
}

function columnNamed(columns: readonly SourceColumn[], name: string): SourceColumn {
  const column = columns.find((other) => other.name === name)
  if (column) return column
  const message = 'must be the header of a column'
  throw invalidField('/query/sort', message)
}
