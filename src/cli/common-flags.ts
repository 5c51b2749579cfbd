/** The options of every command. */
export interface CommonFlags {
  readonly verbose?: boolean
}
