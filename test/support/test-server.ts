/** A database server for one run of the tests. */
export interface TestServer {
  /** Of a role that may create databases. */
  readonly url: string
  /** The same of the other nodes, where it is a cluster. */
  readonly workers?: readonly string[]
  stop(): Promise<void>
}
