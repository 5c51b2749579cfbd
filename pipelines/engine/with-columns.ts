import type { ColumnOverride, CommonOptions } from '../core/options.ts'

/** The options of a request in which some columns are said otherwise. */
export function withColumns(
  options: CommonOptions,
  ...changed: readonly ColumnOverride[]
): CommonOptions {
  const names = new Set(changed.map(({ name }) => name))
  const others = (options.columns ?? []).filter(({ name }) => !names.has(name))
  return { ...options, columns: [...others, ...changed] }
}
