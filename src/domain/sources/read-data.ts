import type { Pool, PoolClient } from 'pg'

import {
  MissingColumnError,
  NotPermittedError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import {
  invalidField,
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { sharerOf } from '../../shares.ts'
import { PageTooLongError } from '../tables/bounded-rows.ts'
import { pageTooLarge } from '../tables/page-too-large.ts'
import { readJsonRows } from '../tables/read-rows.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import { tableMessages } from '../tables/table-messages.ts'
import { schemaOf } from '../tables/table-name.ts'
import { readState, type TableState } from '../tables/table-state.ts'
import { type SnapshotOptions, TableGoneError, withSnapshot } from '../tables/with-snapshot.ts'
import { resolveFilters } from './resolve-filters.ts'
import { describeColumns, type Source } from './source.ts'
import type { Reads } from './sources-parts.ts'
import type { Sources } from './sources.ts'
import { sourceMessages } from './source-messages.ts'

export function readData(reads: Reads, find: Sources['find']): Sources['readPage'] {
  return async (actor, uuid, { page, limit, sort, order, filters }, signal) => {
    const source = await find(actor, uuid)
    using _place = await reads.places.wait(sharerOf(actor), signal)
    return inSnapshot(
      reads.pool,
      source,
      async (client, state) => {
        const columns = describeColumns(state.columns, source.columnDescriptions)
        const given = {
          offset: (page - 1) * limit,
          limit,
          sortBy: sort === undefined ? null : columnNamed(columns, sort),
          descending: order === 'desc',
          filters: resolveFilters(columns, filters),
        }
        const { rows, total } = await readJsonRows(
          client,
          { ...state, columns },
          given,
          signal,
        ).catch((error: unknown) => {
          throw error instanceof PageTooLongError ? pageTooLarge(error, given.offset) : error
        })
        return { columns, items: `[${rows.join(',')}]`, total }
      },
      { afterFailure: 'close', signal },
    )
  }
}

/** The table in one state, with what is on record of just that state. */
export async function inSnapshot<R>(
  pool: Pool,
  source: Source,
  work: (client: PoolClient, state: TableState) => Promise<R>,
  options: SnapshotOptions = {},
): Promise<R> {
  if (source.loadedAt === null) throw new SourceBusyException(sourceMessages.firstLoad())
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
      options,
    )
  } catch (error) {
    const known = translateDatabaseError(error)
    if (known instanceof MissingColumnError || known instanceof NotPermittedError) {
      throw changed(source, error)
    }
    if (!(error instanceof TableGoneError)) throw error
    const isDeleted = (await readState(pool, source.tableId)) === null
    throw isDeleted
      ? new SourceNotFoundException(undefined, { cause: error })
      : changed(source, error)
  }
}

const changed = ({ tableName }: Source, cause: unknown) =>
  new SourceInUseException(tableMessages.changedByOthers({ table: tableName }), { cause })

export function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((other) => other.name === name)
  if (column) return column
  throw invalidField('/query/sort', sourceMessages.notAHeader())
}
