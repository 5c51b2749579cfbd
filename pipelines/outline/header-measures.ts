import { yes } from './measures.ts'
import { isFilled, type SeenRow } from './seen-row.ts'

export const MOST_HEADER_ROWS = 8

/** Rows that could form a header together. */
export interface HeaderInPlace {
  readonly rows: readonly SeenRow[]
  /** Columns that the wide rows of the sheet use. */
  readonly used: readonly number[]
  /** All rows above it are blank. */
  readonly isFirst: boolean
}

export type HeaderMeasure = (header: HeaderInPlace) => number

const namesColumns: HeaderMeasure = ({ rows, used }) =>
  used.filter((column) => rows.some((row) => isFilled(row, column))).length / used.length

/** One name above several columns is a title rather than a header. */
const namesOneColumn: HeaderMeasure = ({ rows, used }) =>
  yes(
    used.length > 2 &&
      used.filter((column) => rows.some((row) => isFilled(row, column))).length < 2,
  )

const namesFirst: HeaderMeasure = ({ rows, used }) =>
  yes(rows.some((row) => isFilled(row, used[0]!)))

const namesDiffer: HeaderMeasure = ({ rows, used }) => {
  const names = used
    .map((column) =>
      rows
        .map(({ texts }) => texts[column] ?? '')
        .join(' ')
        .trim(),
    )
    .filter((name) => name !== '')
  return names.length === 0 ? 0 : new Set(names).size / names.length
}

const hasBlankRows: HeaderMeasure = ({ rows }) => yes(rows.slice(1).some(({ isApart }) => isApart))

const standsApart: HeaderMeasure = ({ rows }) => yes(rows[0]!.isApart)

const isFirst: HeaderMeasure = (header) => yes(header.isFirst)

export const HEADER_MEASURES = {
  namesColumns,
  namesOneColumn,
  namesFirst,
  namesDiffer,
  hasBlankRows,
  standsApart,
  isFirst,
} satisfies Record<string, HeaderMeasure>
