/** How rows are written as lines, down to the byte. */
export interface LineSyntax {
  /** What stands before the cell of each column. */
  readonly before: readonly Buffer[]
  readonly end: Buffer
  readonly null: Buffer
  /** Around what is no number, boolean or JSON. */
  readonly quote: number
  /** Whether every text stands between quotes, or only one with a special byte, or without any. */
  readonly quotesAll: boolean
  /** By byte, 1 where it is not just copied. */
  readonly isSpecial: Uint8Array
  /** By byte: what is written in its place; absent: itself. */
  readonly escapes: readonly (Buffer | undefined)[]
}

const QUOTE = '"'.charCodeAt(0)
const BYTES = 256

/** One object a line, keyed by header. */
export function ndjsonSyntax(headers: readonly string[]): LineSyntax {
  const before = headers.map((header, at) => `${at === 0 ? '{' : ','}${JSON.stringify(header)}:`)
  const escapes = Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    const written = JSON.stringify(character).slice(1, -1)
    return written === character ? undefined : Buffer.from(written)
  })
  return {
    before: before.map((text) => Buffer.from(text)),
    end: Buffer.from(headers.length === 0 ? '{}\n' : '}\n'),
    null: Buffer.from('null'),
    quote: QUOTE,
    quotesAll: true,
    isSpecial: Uint8Array.from({ length: BYTES }, (_, code) => (escapes[code] ? 1 : 0)),
    escapes,
  }
}

/** As PostgreSQL writes it. */
export function csvSyntax(columns: number, delimiter: string): LineSyntax {
  const isSpecial = new Uint8Array(BYTES)
  for (const sign of `"\r\n${delimiter}`) isSpecial[sign.charCodeAt(0)] = 1
  const escapes: (Buffer | undefined)[] = Array.from({ length: BYTES }, () => undefined)
  escapes[QUOTE] = Buffer.from('""')
  return {
    before: Array.from({ length: columns }, (_, at) => Buffer.from(at === 0 ? '' : delimiter)),
    end: Buffer.from('\n'),
    null: Buffer.alloc(0),
    quote: QUOTE,
    quotesAll: false,
    isSpecial,
    escapes,
  }
}
