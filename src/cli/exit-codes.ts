/** What a command ends with; one that was interrupted ends with 128 and the number of the signal. */
export const EXIT = {
  done: 0,
  /** A fault of the program, or something that a check has found. */
  fault: 1,
  /** Arguments, settings, files or folders: what was asked for cannot be done as it was asked. */
  usage: 2,
  /** What the file holds. */
  data: 3,
  /** The database, the storage or the address of a file is away, or refuses. */
  connection: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
