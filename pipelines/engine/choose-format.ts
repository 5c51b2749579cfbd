import { cutText } from '../core/cut-text.ts'
import { EngineError } from '../core/errors.ts'
import type { Certainty, Format } from '../core/format.ts'
import type { InputHead } from '../core/input.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Registry } from '../core/registry.ts'
import { refuseForeign } from './foreign-formats.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'

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
  const opinions = [...formats].map((format) => ({ format, certainty: format.recognises(head) }))
  const surest = surestOf(opinions, options)
  const chosen = name === undefined ? surest : named(formats, opinions, name)
  if (chosen?.certainty !== 'certainly' && head.members === null) refuseForeign(head.bytes)
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
