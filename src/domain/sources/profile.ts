import { histogramOf, knownValues } from '../../stack/read/known-values.ts'
import { columnNamed } from './source.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Reads, SourceProfile, Finders } from './sources.ts'
import type { Actor } from '../actor.ts'

/** What PostgreSQL knows of the columns already: no row is read, but where it knows nothing yet. */
export function profileSource(reads: Reads, locate: Finders['locate']) {
  return async (
    actor: Actor,
    uuid: string,
    { column: wanted }: { readonly column?: string | undefined },
    signal: AbortSignal,
  ): Promise<SourceProfile> => {
    const source = await locate(actor, uuid)
    return readInTurn(reads, { actor, source, signal }, async (client, state) => {
      const columns =
        wanted === undefined ? state.columns : [columnNamed(state.columns, wanted, '/query/column')]
      const profiled: SourceProfile['columns'][number][] = []
      for (const column of columns) {
        signal.throwIfAborted()
        const known = await knownValues(client, state, column)
        profiled.push({ ...column, known, histogram: histogramOf(column.sqlType, known) })
      }
      return { rowCount: state.rowCount, columns: profiled }
    })
  }
}
