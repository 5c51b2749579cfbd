/** A file that somebody sends, and what has to be said of it. */
export interface BadFile {
  readonly name: string
  /** Made while it is sent, and again when it is sent again. */
  content(): Iterable<Buffer>
  readonly options?: Readonly<Record<string, unknown>>
  /** Null: there is nothing wrong with it, and it is taken. */
  readonly code: `Source${string}Exception` | null
  readonly says: RegExp
  /** Members of the answer that say where. */
  readonly tells?: readonly ('line' | 'row' | 'offset')[]
}

export const MALFORMED = 'SourceFileMalformedException'
export const UNSUPPORTED = 'SourceFileUnsupportedException'
export const EMPTY = 'SourceFileEmptyException'
export const TOO_LARGE = 'SourceLimitExceededException'
export const CELLS = 'SourceDataInvalidException'
export const OPTIONS = 'SourceOptionsInvalidException'

type Expected = Omit<BadFile, 'name' | 'content'>

/** A broken structure unless something else is said. */
export function badFile(
  name: string,
  content: string | Buffer | (() => Iterable<Buffer>),
  expected: Omit<Expected, 'code'> & Partial<Expected>,
): BadFile {
  const make = typeof content === 'function' ? content : () => [Buffer.from(content)]
  return { name, content: make, code: MALFORMED, ...expected }
}

/** The same piece over and over between a beginning and an end, held once. */
export function repeated(start: string, piece: Buffer, times: number, end: string) {
  return function* (): Generator<Buffer> {
    yield Buffer.from(start)
    for (let nth = 0; nth < times; nth++) yield piece
    yield Buffer.from(end)
  }
}
