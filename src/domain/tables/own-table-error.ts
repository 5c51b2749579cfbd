/** A table of somebody's own does not take the rows, or a column of them. */
export class OwnTableError extends Error {
  override readonly name = 'OwnTableError'
}
