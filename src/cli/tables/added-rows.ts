import type { Expectation } from '../../../pipelines/index.ts'
import type { StoredColumn } from '../../stack/table/stored-column.ts'

/** Rows that are added to others have to fit the columns that are there; no others are taken. */
export const addedRows = (columns: readonly StoredColumn[]): Expectation => ({
  columns: columns.map((column) => ({
    ...column,
    aliases: [],
    isExpected: false,
    holds: 'rows',
  })),
  unknown: 'refuse',
  missing: 'empty',
  given: {},
  left: [],
})
