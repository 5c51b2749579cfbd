import { EngineError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import { beginningOf } from '../input/text/beginning-of.ts'
import { foreignMessages } from './foreign-messages.ts'

interface ForeignFormat {
  readonly seen: Message
  readonly instead: Message
  readonly starts?: readonly string[]
  readonly holds?: { readonly at: number; readonly word: string }
  /** A pattern for its beginning, as `beginningOf` shows text. */
  readonly reads?: RegExp
}

const TABLE_INSTEAD = foreignMessages.saveTable()
const UNPACKED_INSTEAD = foreignMessages.unpack()

/** Signatures in hexadecimal, at the very beginning of the file. */
const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    seen: foreignMessages.tar(),
    instead: foreignMessages.sendInside(),
    holds: { at: 257, word: 'ustar' },
  },
  {
    seen: foreignMessages.gzipTwice(),
    instead: foreignMessages.packOnce(),
    starts: ['1f8b08'],
  },
  { seen: foreignMessages.pdf(), instead: TABLE_INSTEAD, reads: /^%PDF-/ },
  {
    seen: foreignMessages.image(),
    instead: foreignMessages.tableNeeded(),
    starts: ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961', '49492a00', '4d4d002a'],
  },
  { seen: foreignMessages.avro(), instead: TABLE_INSTEAD, starts: ['4f626a01'] },
  { seen: foreignMessages.arrow(), instead: TABLE_INSTEAD, starts: ['4152524f57310000'] },
  {
    seen: foreignMessages.sqlite(),
    instead: TABLE_INSTEAD,
    starts: ['53514c69746520666f726d6174203300'],
  },
  {
    seen: foreignMessages.otherArchive(),
    instead: UNPACKED_INSTEAD,
    starts: ['425a68', '28b52ffd', 'fd377a585a00', '377abcaf271c', '526172211a07'],
  },
  {
    seen: foreignMessages.program(),
    instead: foreignMessages.tableNeeded(),
    starts: ['7f454c46', 'cafebabe'],
  },
  {
    seen: foreignMessages.webPage(),
    instead: foreignMessages.exportData(),
    reads: /^<(?:!doctype\s+html|html|head|body|table|meta|title|style|script|div)[\s>]/i,
  },
  { seen: foreignMessages.rtf(), instead: TABLE_INSTEAD, reads: /^\{\\rtf/ },
  {
    seen: foreignMessages.mime(),
    instead: TABLE_INSTEAD,
    reads: /^MIME-Version:/i,
  },
  {
    seen: foreignMessages.xml(),
    instead: TABLE_INSTEAD,
    // A tag alone on its line above another one, or with a namespace: `<id>;<b>` may be a header.
    reads:
      /^<(?:\?xml\s|!--|[a-z_][\w:.-]*\s(?:[^<>]*\s)?xmlns[:=]|[a-z_][\w:.-]*(?:\s[^<>]*)?>[^\S\r\n]*[\r\n]\s*<[a-z!/?])/i,
  },
]

/** Refuses bytes that are certainly not a table in text, and says what to do. */
export function refuseForeign(head: Buffer): void {
  const start = head.toString('hex', 0, 16)
  const text = beginningOf(head, 1024)
  const foreign = FOREIGN_FORMATS.find(
    ({ starts, holds, reads }) =>
      starts?.some((signature) => start.startsWith(signature)) === true ||
      (holds !== undefined && isAt(head, holds)) ||
      reads?.test(text) === true,
  )
  if (foreign !== undefined) {
    const { seen, instead } = foreign
    throw new EngineError(foreignMessages.refusal({ seen, instead }), { kind: 'format' })
  }
}

function isAt(head: Buffer, { at, word }: { at: number; word: string }): boolean {
  return head.toString('latin1', at, at + word.length) === word
}
