/** Exit codes. A command that was interrupted exits with 128 plus the number of the signal. */
export const EXIT = {
  done: 0,
  /** A fault of the program, or something that a check found. */
  fault: 1,
  /** Wrong arguments, settings, files or folders; of `check`, a file that is not valid. */
  usage: 2,
  /** Wrong contents of a file. */
  data: 3,
  /** The database, the storage or the address of a file cannot be reached, or refuses. */
  connection: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
