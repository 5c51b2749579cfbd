/** Where the rows of a table are: no table yet, one on the coordinator, one over the nodes. */
export type TablePlace = 'nowhere' | 'coordinator' | 'nodes'

export interface ComingRows {
  readonly table: TablePlace
  /** Undefined: nobody knows. */
  readonly bytes: number | undefined
}

/** Where rows go, and whether the table has to go there before them. */
export type RowsGo = 'to the coordinator' | 'to the nodes' | 'to the nodes after their table'

/** Rows go where their table is; so many bytes at once go over the nodes, and the table with them. */
export function whereRowsGo(
  { table, bytes = 0 }: ComingRows,
  distributesFromBytes: number,
): RowsGo {
  if (table === 'nodes') return 'to the nodes'
  if (bytes < distributesFromBytes) return 'to the coordinator'
  return table === 'nowhere' ? 'to the nodes' : 'to the nodes after their table'
}
