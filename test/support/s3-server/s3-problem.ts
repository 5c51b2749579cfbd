/** What an S3 server answers when it refuses. */
export class S3Problem extends Error {
  override readonly name = 'S3Problem'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}
