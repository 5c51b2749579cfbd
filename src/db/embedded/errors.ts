/** The embedded database cannot be started; the message says what a person can do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Another living process works on the same data folder. */
export class FolderBusyError extends EmbeddedPostgresError {
  readonly ownerPid: number

  constructor(folder: string, ownerPid: number) {
    super(
      `The data folder ${folder} is in use by process ${ownerPid}. ` +
        'Stop that process, or give this one another DATA_DIR.',
    )
    this.ownerPid = ownerPid
  }
}
