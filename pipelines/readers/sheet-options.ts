import { EngineError } from '../core/errors.ts'
import { Schema } from '../core/schema.ts'
import type { PlaceByHand } from '../outline/place-table.ts'
import type { Message } from '../core/message.ts'
import { placementMessages } from './placement-messages.ts'

const RAGGED_POLICIES = ['reject', 'pad', 'fit'] as const
export type RaggedPolicy = (typeof RAGGED_POLICIES)[number]

const MOST_ROWS = 1_048_576
const row = Schema.integer({ minimum: 1, maximum: MOST_ROWS })

/** The options for rows that people have laid out below each other. */
export const SHEET_OPTIONS = {
  headerRow: Schema.either(
    [
      Schema.integer({ minimum: 0, maximum: MOST_ROWS }),
      Schema.list(row, { minItems: 2, maxItems: 2 }),
    ],
    { description: 'Line of the header from 1, or [first, last] of its lines; 0: there is none' },
  ),
  firstRow: Schema.integer({
    minimum: 1,
    maximum: MOST_ROWS,
    description: 'Line of the first row of data',
  }),
  lastRow: Schema.integer({
    minimum: 1,
    maximum: MOST_ROWS,
    description: 'Line of the last row of data',
  }),
  notes: Schema.oneOf(['load'], {
    description: 'Rows at the end that look like notes are loaded too',
  }),
  fillDown: Schema.either(
    [Schema.only(true), Schema.list(Schema.text({ minLength: 1 }), { maxItems: 1600 })],
    {
      description:
        'Columns, by normalised header, whose blank cells repeat the value above; true: all of them',
    },
  ),
  ragged: Schema.oneOf(RAGGED_POLICIES),
}

/** Further options for a workbook. */
export const BOOK_OPTIONS = {
  sheet: Schema.either(
    [Schema.text({ minLength: 1, maxLength: 255 }), Schema.integer({ minimum: 1 })],
    {
      description: 'Name of the sheet, or its index from 1',
    },
  ),
  range: Schema.text({
    pattern:
      '^\\$?[A-Za-z]{1,3}(?:\\$?[1-9][0-9]{0,6})?:\\$?[A-Za-z]{1,3}(?:\\$?[1-9][0-9]{0,6})?$',
    examples: ['A5:H120', 'A:H'],
    description: 'The cells of the table and its header; `A:H`: these columns, whatever their rows',
  }),
}

/** Rows counted from 1, columns from 0; ends included. */
export interface CellRange {
  readonly firstRow: number
  /** Null: the last one of the sheet. */
  readonly lastRow: number | null
  readonly firstColumn: number
  readonly lastColumn: number
}

/** Null if none is given. */
export function rangeByHand(range: string | undefined): CellRange | null {
  if (range === undefined) return null
  const parts = /^([A-Z]+)(\d*):([A-Z]+)(\d*)$/.exec(range.replaceAll('$', '').toUpperCase())
  if (parts === null) throw outOfPlace(placementMessages.range(), '/range')
  const [, left = '', top = '', right = '', bottom = ''] = parts
  const [firstColumn, lastColumn] = inOrder(columnOf(left), columnOf(right))
  const first = Number(top || 1)
  if (bottom === '') return { firstRow: first, lastRow: null, firstColumn, lastColumn }
  const [firstRow, lastRow] = inOrder(first, Number(bottom))
  return { firstRow, lastRow, firstColumn, lastColumn }
}

const inOrder = (one: number, other: number): [number, number] =>
  one <= other ? [one, other] : [other, one]

function columnOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

interface SaidOfPlace {
  readonly headerRow?: number | readonly number[]
  readonly firstRow?: number
  readonly lastRow?: number
  readonly notes?: 'load'
}

/** Where a person says the table is; refused if it cannot be there. */
export function placeByHand({ headerRow, firstRow, lastRow, notes }: SaidOfPlace): PlaceByHand {
  const header = typeof headerRow === 'number' ? headerRow : pairOf(headerRow)
  const lastOfHeader = typeof header === 'number' ? header : (header?.[1] ?? 0)
  if (firstRow !== undefined && firstRow <= lastOfHeader) {
    throw outOfPlace(placementMessages.firstRow(), '/firstRow')
  }
  if (lastRow !== undefined && lastRow < Math.max(firstRow ?? 1, lastOfHeader)) {
    throw outOfPlace(placementMessages.lastRow(), '/lastRow')
  }
  return {
    ...(header !== undefined && { headerRow: header }),
    ...(firstRow !== undefined && { firstRow }),
    ...(lastRow !== undefined && { lastRow }),
    ...(notes !== undefined && { notes }),
  }
}

function pairOf(rows: readonly number[] | undefined): readonly [number, number] | undefined {
  if (rows === undefined) return undefined
  const [from = 1, to = from] = rows
  if (from > to) throw outOfPlace(placementMessages.headerRow(), '/headerRow')
  return [from, to]
}

const outOfPlace = (message: Message, pointer: string) =>
  new EngineError(message, { kind: 'options', pointer })
