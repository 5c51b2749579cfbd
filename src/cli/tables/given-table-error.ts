/** A table that somebody made themselves does not accept the rows, or one of their columns. */
export class GivenTableError extends Error {
  override readonly name = 'GivenTableError'
}
