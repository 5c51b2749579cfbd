import { invalidFields } from '../../errors/index.ts'
import { countBroken, MOST_ROWS_JUDGED } from '../../stack/read/count-broken.ts'
import { flawsOfColumnRules, refuseLargePatterns } from '../shapes/shape-rules.ts'
import { columnNamed } from './source.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Reads, Finders, TriedRules } from './sources.ts'
import type { Actor } from '../actor.ts'
import type { ColumnRule } from '../../../pipelines/index.ts'

/** What rules would find among the rows that are there, before anybody asks them of a file. */
export function tryRules(reads: Reads, locate: Finders['locate']) {
  return async (
    actor: Actor,
    uuid: string,
    { column: header, rules }: { readonly column: string; readonly rules: readonly ColumnRule[] },
    signal: AbortSignal,
  ): Promise<TriedRules> => {
    refuseLargePatterns(rules, '/rules')
    const source = await locate(actor, uuid)
    return readInTurn(reads, { actor, source, signal }, async (client, state) => {
      const column = columnNamed(state.columns, header, '/column')
      const flaws = flawsOfColumnRules(rules, column.type, '/rules')
      if (flaws.length > 0) throw invalidFields(flaws)
      const { enterpriseId } = source
      const counted = await countBroken(client, state, { enterpriseId, column, rules, signal })
      const isExact = state.rowCount <= MOST_ROWS_JUDGED
      return { rowCount: state.rowCount, isExact, ...counted }
    })
  }
}
