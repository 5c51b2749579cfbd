import { LINE_FEED, OPEN_OBJECT, SPACE } from './bytes.ts'
import type { ByteWindow } from './byte-window.ts'

/**
 * A row that is not closed on its line runs on into the lines below, and what is read there is told to be
 * wrong: `{"a":1` stops at the next row, `{"a":` takes that for its value and stops at the one after.
 *
 * The end of the line of the row at `from`, where each row has a line and this one is not closed on its own.
 */
export function endOfUnclosedLine(
  { bytes, limit, ended }: ByteWindow,
  from: number,
  brokenAt: number,
): number | null {
  const end = bytes.indexOf(LINE_FEED, from)
  if (end === -1 || end >= brokenAt) return null
  const beginsLine = (at: number) => bytes[at - 1] === LINE_FEED
  const isOver = (at: number) => ended && at === limit
  let next = end
  while (next < limit && bytes[next]! <= SPACE) next += 1
  // Rows that are spread over several lines are told where they break.
  const areLines = (bytes[next] === OPEN_OBJECT && beginsLine(next)) || isOver(next)
  return areLines && (beginsLine(brokenAt) || isOver(brokenAt)) ? end : null
}
