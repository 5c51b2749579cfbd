import { EngineError } from '../core/errors.ts'
import type { Certainty, Format } from '../core/format.ts'
import type { InputHead } from '../core/input.ts'
import type { Registry } from '../core/registry.ts'
import { refuseForeign } from '../input/text/foreign-formats.ts'

const CERTAINTIES: readonly Certainty[] = ['certainly', 'likely', 'perhaps']

/** The format that the request names, unless the content is certainly another; else what is recognised. */
export function chooseFormat(
  formats: Registry<Format>,
  head: InputHead,
  name: string | undefined,
): Format {
  const found = surest(formats, head)
  if (name === undefined) {
    if (found !== null) return found.format
    throw new EngineError(`The input is none of ${formats.names.join(', ')}`, { kind: 'format' })
  }
  const format = formats.get(name)
  if (format === undefined) {
    const known = formats.names.join(', ')
    throw new EngineError(`The format «${name}» is not one of ${known}`, {
      kind: 'options',
      pointer: '/format',
    })
  }
  const own = format.recognises(head)
  const isAnother = own !== 'certainly' && found?.certainty === 'certainly'
  if (isBlank(head) || (own !== 'no' && !isAnother)) return format
  if (head.members === null) refuseForeign(head.bytes)
  const content = found === null ? 'no format that is known' : found.format.name
  throw new EngineError(
    `The option "format" says ${name}, but the content is ${content}${beginning(head)}.`,
    { kind: 'options', pointer: '/format' },
  )
}

function surest(
  formats: Registry<Format>,
  head: InputHead,
): { format: Format; certainty: Certainty } | null {
  const opinions = [...formats].map((format) => ({ format, certainty: format.recognises(head) }))
  for (const certainty of CERTAINTIES) {
    const found = opinions.find((opinion) => opinion.certainty === certainty)
    if (found !== undefined) return found
  }
  return null
}

/** Nothing can be told from it: the format that was named says what it expects. */
function isBlank({ bytes }: InputHead): boolean {
  return bytes.every((byte) => byte <= 0x20)
}

const SHOWN_CHARACTERS = 40

/** Of text, how it begins; of anything else, nothing. */
function beginning({ bytes, members }: InputHead): string {
  if (members !== null || bytes.includes(0)) return ''
  const line = bytes.toString('utf8', 0, 512).trimStart().split(/\r|\n/, 1)[0]!
  const characters = [...line.replaceAll(/\p{C}/gu, '')]
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('')
  return `; it begins with «${shown}${characters.length > SHOWN_CHARACTERS ? '…' : ''}»`
}
