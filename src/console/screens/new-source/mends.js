import { askRejects, numberOf, sendCorrections } from '../../core/rejects.js'

/**
 * What somebody wrote in the place of cells that do not fit: `{ line, column, value, text }`; without
 * a line it is said of every cell of the column that is written alike.
 */
export const mendOf = (mends, { line, column, value }) =>
  mends.findLast(
    (mend) =>
      mend.column === column &&
      (mend.line === undefined ? mend.value === value : mend.line === line),
  )

/**
 * The rows were set aside when the table was loaded: they are sent again with what was written.
 * `hasLines`: they were told apart by their lines, and not by their numbers.
 */
export async function sendMends(source, mends, hasLines) {
  const rejects = await askRejects(source)
  const { head, rows, faulty } = rejects
  const mended = rows.flatMap((row) => {
    const { column, value, ...place } = faulty.get(numberOf(row)) ?? {}
    const line = hasLines ? (place.line ?? place.row) : place.row
    const own = mends.filter((mend) => mend.line === line)
    const alike = mendOf(mends, { line, column, value })
    const said = alike === undefined ? own : [...own, { ...alike, column }]
    if (said.length === 0) return []
    return [
      said.reduce(
        (cells, { column: name, text }) => replaced(cells, head.indexOf(name), text),
        row,
      ),
    ]
  })
  return mended.length === 0 ? null : sendCorrections(source, rejects, mended)
}

const replaced = (cells, at, text) => (at === -1 ? cells : cells.with(at, text))
