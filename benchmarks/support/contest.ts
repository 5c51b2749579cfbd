/** Where a contender works: a folder and a database. */
export interface Ground {
  readonly folder: string
  readonly databaseUrl: string
  readonly signal: AbortSignal
}

/** The same file, loaded by the engine and by what one would write without it. */
export interface Contest {
  readonly name: string
  /** Unless others are asked for. */
  readonly rows: number
  /** What one file can hold; absent: as many as wanted. */
  readonly mostRows?: number
  /** The engine has to be so many times as fast as the other ... */
  readonly timesAsFast: number
  /** ... and to keep within so much memory; however long the file is, it needs about as much. */
  readonly peakMiB?: number
  readonly caveats?: readonly string[]
  /** Makes the file, and answers its path. */
  prepare(folder: string, rows: number): Promise<string>
  /** What one would write without the engine; answers with the rows it loaded. */
  readonly rival: {
    readonly name: string
    run(path: string, ground: Ground): Promise<number>
  }
}
