import { EngineError } from '../core/errors.ts'

interface ForeignFormat {
  readonly seen: string
  readonly instead: string
  readonly starts?: readonly string[]
  readonly holds?: { readonly at: number; readonly word: string }
  /** Of text, in latin1, without white space in front and without the zeros of UTF-16. */
  readonly reads?: RegExp
}

const TABLE_INSTEAD = 'save the table in it as CSV, JSON or .xlsx and send that'
const UNPACKED_INSTEAD = 'unpack it, or pack the file with gzip'

/** Signatures in hexadecimal, as they stand at the very beginning. */
const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    seen: 'a tar archive',
    instead: 'send the file inside it, alone or packed with gzip',
    holds: { at: 257, word: 'ustar' },
  },
  {
    seen: 'packed with gzip more than once',
    instead: 'unpack it, and pack it at most once',
    starts: ['1f8b08'],
  },
  { seen: 'a PDF document', instead: TABLE_INSTEAD, reads: /^%PDF-/ },
  {
    seen: 'an image',
    instead: 'a table is needed',
    starts: ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961', '49492a00', '4d4d002a'],
  },
  { seen: 'an Avro file', instead: TABLE_INSTEAD, starts: ['4f626a01'] },
  { seen: 'an Arrow file', instead: TABLE_INSTEAD, starts: ['4152524f57310000'] },
  {
    seen: 'an SQLite database',
    instead: TABLE_INSTEAD,
    starts: ['53514c69746520666f726d6174203300'],
  },
  {
    seen: 'an archive packed with something other than gzip',
    instead: UNPACKED_INSTEAD,
    starts: ['425a68', '28b52ffd', 'fd377a585a00', '377abcaf271c', '526172211a07'],
  },
  { seen: 'a program', instead: 'a table is needed', starts: ['7f454c46', 'cafebabe'] },
  {
    seen: 'a web page (HTML)',
    instead:
      'export the data as CSV, JSON or .xlsx: what was saved is a page, perhaps a login form',
    reads: /^<(?:!doctype\s+html|html|head|body|table|meta|title|style|script|div)[\s>]/i,
  },
  { seen: 'an RTF document', instead: TABLE_INSTEAD, reads: /^\{\\rtf/ },
  {
    seen: 'a web page or a message in MIME',
    instead: TABLE_INSTEAD,
    reads: /^MIME-Version:/i,
  },
  {
    seen: 'an XML or HTML document',
    instead: TABLE_INSTEAD,
    // A tag alone on its line above another, or with a namespace: `<id>;<b>` may be a header.
    reads:
      /^<(?:\?xml\s|!--|[a-z_][\w:.-]*\s(?:[^<>]*\s)?xmlns[:=]|[a-z_][\w:.-]*(?:\s[^<>]*)?>[^\S\r\n]*[\r\n]\s*<[a-z!/?])/i,
  },
]

/** Bytes that are certainly no table in text, and what to do about it. */
export function refuseForeign(head: Buffer): void {
  const start = head.toString('hex', 0, 16)
  const text = head
    .toString('latin1', 0, 1024)
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ|\s)+/, '')
  const foreign = FOREIGN_FORMATS.find(
    ({ starts, holds, reads }) =>
      starts?.some((signature) => start.startsWith(signature)) === true ||
      (holds !== undefined && isAt(head, holds)) ||
      reads?.test(text) === true,
  )
  if (foreign !== undefined) {
    throw new EngineError(`The file is ${foreign.seen}: ${foreign.instead}.`, { kind: 'format' })
  }
}

function isAt(head: Buffer, { at, word }: { at: number; word: string }): boolean {
  return head.toString('latin1', at, at + word.length) === word
}
