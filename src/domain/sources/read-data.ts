import { pageTooLarge, PageTooLongError } from '../../stack/read/bounded-rows.ts'
import { readJsonRows } from '../../stack/read/pages.ts'
import { counted, whatPasses } from '../../stack/read/row-filter.ts'
import { columnNamed, describeColumns } from './source.ts'
import { readInTurn } from './in-snapshot.ts'
import { resolveFilters } from './resolve-filters.ts'
import type { Reads, Finders, DataPage, DataQuery } from './sources.ts'
import type { Actor } from '../actor.ts'

export function readData(reads: Reads, locate: Finders['locate']) {
  return async (
    actor: Actor,
    uuid: string,
    { page, limit, sort, order, filters }: DataQuery,
    signal: AbortSignal,
  ): Promise<DataPage> => {
    const source = await locate(actor, uuid)
    return readInTurn(reads, { actor, source, signal }, async (client, state) => {
      const columns = describeColumns(state.columns, source.columnDescriptions)
      const given = {
        offset: (page - 1) * limit,
        limit,
        sortBy: sort === undefined ? null : columnNamed(columns, sort, '/query/sort'),
        descending: order === 'desc',
      }
      const found = whatPasses(state, resolveFilters(columns, filters))
      const passing = await counted(client, found)
      const rows = await readJsonRows(client, { ...passing, columns }, given, signal).catch(
        (error: unknown) => {
          throw error instanceof PageTooLongError ? pageTooLarge(error, given.offset) : error
        },
      )
      return { columns, items: `[${rows.join(',')}]`, total: passing.rowCount }
    })
  }
}
