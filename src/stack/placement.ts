/**
 * Where the rows of a table are: there is no table yet, it is on the coordinator, or it is spread
 * over the nodes.
 */
export type TablePlace = 'nowhere' | 'coordinator' | 'nodes'

export interface ComingRows {
  readonly table: TablePlace
  /** Undefined: unknown. */
  readonly bytes: number | undefined
}

/** Where new rows go, and whether the table has to be moved there first. */
type RowsGo = 'to the coordinator' | 'to the nodes' | 'to the nodes after their table'

/**
 * Rows go where their table is, but a load of at least `limit` bytes goes to the nodes and takes
 * the table with it.
 */
export function whereRowsGo(
  { table, bytes = 0 }: ComingRows,
  distributesFromBytes: number,
): RowsGo {
  if (table === 'nodes') return 'to the nodes'
  if (bytes < distributesFromBytes) return 'to the coordinator'
  return table === 'nowhere' ? 'to the nodes' : 'to the nodes after their table'
}
