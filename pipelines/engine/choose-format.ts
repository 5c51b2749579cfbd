import { EngineError } from '../core/errors.ts'
import type { Format, InputHead } from '../core/format.ts'
import type { Registry } from '../core/registry.ts'
import { refuseForeign } from '../input/foreign-formats.ts'
import { isGzip } from '../input/gunzip.ts'

/** The format that the request names, unless the content is certainly another; else what is recognised. */
export function chooseFormat(
  formats: Registry<Format>,
  head: InputHead,
  name: string | undefined,
): Format {
  if (name === undefined) return recognise(formats, head)
  const format = formats.get(name)
  if (format === undefined) {
    const known = formats.names.join(', ')
    throw new EngineError(`The format «${name}» is not one of ${known}`, {
      kind: 'options',
      pointer: '/format',
    })
  }
  if (saysLittle(head) || (format.mayBe ?? format.recognises)(head)) return format
  if (head.members === null) refuseForeign(head.unpacked)
  const { name: found } = recognise(formats, head)
  throw new EngineError(
    `The option "format" says ${name}, but the content is ${found}${beginning(head)}.`,
    { kind: 'options', pointer: '/format' },
  )
}

function recognise(formats: Registry<Format>, head: InputHead): Format {
  for (const format of formats) if (format.recognises(head)) return format
  throw new EngineError(`The input is none of ${formats.names.join(', ')}`, { kind: 'format' })
}

/** Nothing, or a gzip that does not unpack: the reader knows how to put that. */
function saysLittle({ unpacked }: InputHead): boolean {
  return isGzip(unpacked) || unpacked.every((byte) => byte <= 0x20)
}

const SHOWN_CHARACTERS = 40

/** Of text, how it begins; of anything else, nothing. */
function beginning({ unpacked, members }: InputHead): string {
  if (members !== null || unpacked.includes(0)) return ''
  const line = unpacked.toString('utf8', 0, 512).trimStart().split(/\r|\n/, 1)[0]!
  const characters = [...line.replaceAll(/\p{C}/gu, '')]
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('')
  return `; it begins with «${shown}${characters.length > SHOWN_CHARACTERS ? '…' : ''}»`
}
