/** A table that somebody created themselves does not accept the rows, or one of their columns. */
export class OwnTableError extends Error {
  override readonly name = 'OwnTableError'
}
