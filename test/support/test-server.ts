/** A database server for one run of the tests. */
export interface TestServer {
  /** Of a role that may create databases. */
  readonly url: string
  stop(): Promise<void>
}
