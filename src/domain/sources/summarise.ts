import type { PoolClient } from 'pg'

import type { TableColumn } from '../../stack/table/stored-column.ts'
import { type ColumnSummary, summariseColumn } from '../../stack/read/summarise-column.ts'
import type { TableState } from '../../stack/read/snapshot.ts'
import { columnNamed } from './source.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Reads, Finders, SourceSummary } from './sources.ts'
import type { Actor } from '../actor.ts'

/** Up to this many rows all are counted; beyond it, a sample of about this size. */
const MOST_ROWS_COUNTED = 1_000_000

/** Usually enough to sort one column of a sample without using the disk. */
const SORT_MEMORY = '64MB'

/** What the columns hold; the count stops when nobody waits for it any more. */
export function summariseSource(reads: Reads, locate: Finders['locate']) {
  return async (
    actor: Actor,
    uuid: string,
    { column: wanted }: { readonly column?: string | undefined },
    signal: AbortSignal,
  ): Promise<SourceSummary> => {
    const source = await locate(actor, uuid)
    return readInTurn(reads, { actor, source, signal }, async (client, state) => {
      await client.query(`set local work_mem = '${SORT_MEMORY}'`)
      const columns =
        wanted === undefined ? state.columns : [columnNamed(state.columns, wanted, '/query/column')]
      return summarise(client, state, columns, signal)
    })
  }
}

async function summarise(
  client: PoolClient,
  state: TableState,
  columns: readonly TableColumn[],
  signal: AbortSignal,
) {
  const isExact = state.rowCount <= MOST_ROWS_COUNTED
  const percent = isExact ? 100 : (MOST_ROWS_COUNTED / state.rowCount) * 100
  const found: (TableColumn & ColumnSummary)[] = []
  for (const column of columns) {
    signal.throwIfAborted()
    found.push({ ...column, ...(await summariseColumn(client, state, column, percent)) })
  }
  return {
    rowCount: state.rowCount,
    countedRows: found[0]?.counted ?? state.rowCount,
    isExact,
    columns: found,
  }
}
