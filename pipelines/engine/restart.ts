import type { Reading } from '../core/reader.ts'
import type { Widening } from '../core/report.ts'
import type { LateColumns, Restart } from './decide-table.ts'
import type { RowCaster } from './row-caster.ts'

export function restartAfter(
  reading: Reading,
  { late }: { readonly late: LateColumns },
  { surveys }: RowCaster,
  before: Restart | null,
): Restart {
  const restarts = before?.restarts ?? 0
  const { columns, widenings } = surveys.widen(restarts)
  return {
    restarts: restarts + 1,
    learned: { ...before?.learned, ...reading.misjudged },
    columns: [...columns, ...late.decide()],
    widenings: joinWidenings(before?.widenings ?? [], widenings),
  }
}

/** For a column that was widened in two passes: from its first type to its last. */
function joinWidenings(
  earlier: readonly Widening[],
  later: readonly Widening[],
): readonly Widening[] {
  const byColumn = new Map<string, Widening>()
  for (const widening of [...earlier, ...later]) {
    const { from } = byColumn.get(widening.column) ?? widening
    byColumn.set(widening.column, { ...widening, from })
  }
  return [...byColumn.values()]
}
