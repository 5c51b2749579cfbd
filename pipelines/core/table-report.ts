/** A line that is not part of the table, with its text. */
export interface Line {
  readonly line: number
  readonly text: string
}

/** Where a table stands in its sheet. Lines are those of the file, or rows of the sheet, from 1. */
export interface TableReport {
  readonly titles: readonly Line[]
  /** Empty where there is no header. */
  readonly header: { readonly rows: readonly number[] }
  /** Null where there are no rows. */
  readonly firstRow: number | null
  /** Null where there are no rows, or the end was not read. */
  readonly lastRow: number | null
  /** Lines below the last row that were left out. */
  readonly notes: readonly Line[]
  readonly evidence: TableEvidence
  /** Other headers that the rows could have, and by how much each is less likely. */
  readonly alternatives: readonly {
    readonly header: readonly number[]
    readonly firstRow: number | null
    readonly behind: number
  }[]
}

export interface TableEvidence {
  /**
   * `first row`: it is full of distinct names. `none`: no cell of the first row could be a name.
   * `weighed`: see `reasons`. `listed`: lines above it name its columns one by one.
   */
  readonly header: 'given' | 'first row' | 'none' | 'weighed' | 'listed'
  readonly reasons: readonly {
    /** Null: the reason concerns all header rows together. */
    readonly line: number | null
    readonly role: string
    /** What speaks for it, or against it if the weight is below 0. */
    readonly because: readonly { readonly what: string; readonly weight: number }[]
  }[]
}
