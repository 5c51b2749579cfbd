import { cutText } from '../core/cut-text.ts'
import { EngineError } from '../core/errors.ts'
import type { Certainty, Format, Signs } from '../core/format.ts'
import type { InputHead } from '../core/input.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Registry } from '../core/registry.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'
import { beginningOf } from '../input/text/encoding.ts'
import { foreignMessages } from './foreign-messages.ts'

const CERTAINTIES: readonly Certainty[] = ['certainly', 'likely', 'perhaps']

interface Opinion {
  readonly format: Format
  readonly certainty: Certainty
}

/**
 * The format that the request names, unless the content certainly has another one; otherwise the
 * surest. If none is certain, only formats that know all given options are considered. An input
 * that no format is certain of may be a kind of file that cannot be read here.
 */
export function chooseFormat(
  formats: Registry<Format>,
  head: InputHead,
  options: IngestOptions,
): Format {
  const { format: name } = options
  const opinions = opinionsOn(head, formats)
  const surest = surestOf(opinions, options)
  const chosen = name === undefined ? surest : named(formats, opinions, name)
  if (chosen?.certainty !== 'certainly' && head.members === null) refuseForeign(head)
  if (chosen === null) {
    throw new EngineError(refusalMessages.noFormat({ formats: formats.names }), { kind: 'format' })
  }
  if (mayBe(chosen, surest, head)) return chosen.format
  const content =
    surest === null
      ? refusalMessages.unknownContent()
      : refusalMessages.content({ format: surest.format.name })
  throw new EngineError(
    refusalMessages.otherFormat({ named: chosen.format.name, found: withBeginning(content, head) }),
    { kind: 'options', pointer: '/format' },
  )
}

/** Whether one of the formats would read it. */
export const mayBeOf = (formats: Iterable<Format>, head: InputHead): boolean =>
  opinionsOn(head, formats).some(({ certainty }) => certainty !== 'no')

export function opinionsOn(head: InputHead, formats: Iterable<Format>): readonly Opinion[] {
  const looked = { ...head, beginning: beginningOf(head.bytes) }
  return [...formats].map((format): Opinion => {
    const { recognises } = format
    if (typeof recognises === 'function') return { format, certainty: recognises(head) }
    return { format, certainty: shows(looked, recognises) ? 'certainly' : 'no' }
  })
}

interface LookedAt extends InputHead {
  /** As `beginningOf` shows it. */
  readonly beginning: string
}

function shows(
  { bytes, members, beginning }: LookedAt,
  { starts, holds, reads, members: known }: Signs,
): boolean {
  if (members !== null) return members.some((name) => known?.includes(name.toLowerCase()))
  const start = bytes.toString('hex', 0, 16)
  return (
    starts?.some((signature) => start.startsWith(signature)) === true ||
    (holds !== undefined && isAt(bytes, holds)) ||
    reads?.every((pattern) => pattern.test(beginning)) === true
  )
}

function isAt(bytes: Buffer, { at, word }: Signs['holds'] & {}): boolean {
  return bytes.toString('latin1', at, at + word.length) === word
}

function surestOf(opinions: readonly Opinion[], options: IngestOptions): Opinion | null {
  const surest = likeliest(opinions)
  if (surest === null || surest.certainty === 'certainly') return surest
  const said = Object.keys(options).filter((option) =>
    opinions.some(({ format }) => Object.hasOwn(format.options, option)),
  )
  const knowing = opinions.filter(({ format }) =>
    said.every((option) => Object.hasOwn(format.options, option)),
  )
  return likeliest(knowing) ?? surest
}

function likeliest(opinions: readonly Opinion[]): Opinion | null {
  for (const certainty of CERTAINTIES) {
    const found = opinions.find((opinion) => opinion.certainty === certainty)
    if (found !== undefined) return found
  }
  return null
}

function named(formats: Registry<Format>, opinions: readonly Opinion[], name: string): Opinion {
  const found = opinions.find(({ format }) => format.name === name)
  if (found !== undefined) return found
  throw new EngineError(refusalMessages.unknownFormat({ name, known: formats.names }), {
    kind: 'options',
    pointer: '/format',
  })
}

/** Whether it makes sense to read the input as the format that was named. */
function mayBe(chosen: Opinion, surest: Opinion | null, head: InputHead): boolean {
  const isAnother = surest?.certainty === 'certainly' && chosen.certainty !== 'certainly'
  return isBlank(head) || (chosen.certainty !== 'no' && !isAnother)
}

/** Nothing can be told from it, so the named format says what it expects. */
function isBlank({ bytes }: InputHead): boolean {
  return bytes.every((byte) => byte <= 0x20)
}

const SHOWN_CHARACTERS = 40

/** For text, also says how it begins. */
function withBeginning(found: Message, { bytes, members }: InputHead): Message {
  if (members !== null || bytes.includes(0)) return found
  const line = bytes.toString('utf8', 0, 512).trimStart().split(/\r|\n/, 1)[0]!
  const beginning = cutText(line.replaceAll(/\p{C}/gu, ''), SHOWN_CHARACTERS, '…')
  return refusalMessages.beginning({ found, beginning })
}

interface ForeignFormat extends Signs {
  readonly seen: Message
  readonly instead: Message
}

const TABLE_INSTEAD = foreignMessages.saveTable()
const UNPACKED_INSTEAD = foreignMessages.unpack()

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
  { seen: foreignMessages.pdf(), instead: TABLE_INSTEAD, reads: [/^%PDF-/] },
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
    reads: [/^<(?:!doctype\s+html|html|head|body|table|meta|title|style|script|div)[\s>]/i],
  },
  { seen: foreignMessages.rtf(), instead: TABLE_INSTEAD, reads: [/^\{\\rtf/] },
  {
    seen: foreignMessages.mime(),
    instead: TABLE_INSTEAD,
    reads: [/^MIME-Version:/i],
  },
  {
    seen: foreignMessages.xml(),
    instead: TABLE_INSTEAD,
    // A tag alone on its line above another one, or with a namespace: `<id>;<b>` may be a header.
    reads: [
      /^<(?:\?xml\s|!--|[a-z_][\w:.-]*\s(?:[^<>]*\s)?xmlns[:=]|[a-z_][\w:.-]*(?:\s[^<>]*)?>[^\S\r\n]*[\r\n]\s*<[a-z!/?])/i,
    ],
  },
]

/** Refuses bytes that are certainly not a table in text, and says what to do. */
function refuseForeign(head: InputHead): void {
  const looked = { ...head, beginning: beginningOf(head.bytes, 1024) }
  const foreign = FOREIGN_FORMATS.find((format) => shows(looked, format))
  if (foreign !== undefined) {
    const { seen, instead } = foreign
    throw new EngineError(foreignMessages.refusal({ seen, instead }), { kind: 'format' })
  }
}
