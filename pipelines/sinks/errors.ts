/** The database refused, broke off or was cut off. The cause is Postgres's or the socket's own error. */
export class SinkError extends Error {
  override readonly name: string = 'SinkError'
}

/**
 * The connection broke exactly at COMMIT and the database could not be asked afterwards. The rows may
 * be visible or not: whoever called must look before trying again.
 */
export class OutcomeUnknownError extends SinkError {
  override readonly name = 'OutcomeUnknownError'
  readonly transactionId: string

  constructor(transactionId: string, options: ErrorOptions) {
    super('The connection was lost while the load was being committed', options)
    this.transactionId = transactionId
  }
}
