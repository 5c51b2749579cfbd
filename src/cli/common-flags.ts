/** What can be said to every command. */
export interface CommonFlags {
  readonly verbose?: boolean
}
