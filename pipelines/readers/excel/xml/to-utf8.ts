import { isUtf8 } from 'node:buffer'

import { EngineError } from '../../../core/errors.ts'
import type { ByteFlow } from '../../../core/input.ts'
import { unfinishedTail } from '../../../input/text/encoding.ts'
import type { PartFlow } from '../archive/open-archive.ts'
import type { Message } from '../../../core/message.ts'
import { xmlMessages } from './messages.ts'

/** Enough to hold a byte order mark and the XML declaration. */
const DECLARATION_BYTES = 200

/** The part as valid UTF-8 without a byte order mark, whatever encoding its XML declares. */
export async function toUtf8(part: PartFlow): Promise<ByteFlow> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < DECLARATION_BYTES) {
    const chunk = await part.next()
    if (chunk === null) break
    head = Buffer.concat([head, chunk])
  }
  const encoding = encodingOf(head)
  const convert = encoding === 'utf-8' ? checkingUtf8(part.part) : transcoding(encoding, part.part)
  let pending: Buffer | null = withoutMark(head, encoding)
  let ended = false
  return {
    async next() {
      while (!ended) {
        const chunk = pending ?? (await part.next())
        pending = null
        ended = chunk === null
        const converted = convert(chunk)
        // XML cannot contain it, nor can text in PostgreSQL, such as a sheet's name.
        if (converted.includes(0)) throw notDecodable(part.part, xmlMessages.nul())
        if (converted.length > 0) return converted
      }
      return null
    },
    close: () => part.close(),
  }
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head[0] === 0x3c && head[1] === 0) return 'utf-16le'
  if (head[0] === 0 && head[1] === 0x3c) return 'utf-16be'
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]{0,80}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    head.toString('latin1', 0, DECLARATION_BYTES),
  )
  const label = (declared?.[1] ?? 'utf-8').toLowerCase()
  // A declaration that could be read byte by byte is not in UTF-16, whatever it says.
  return /^(utf-?16|utf8$)/.test(label) ? 'utf-8' : label
}

function withoutMark(head: Buffer, encoding: string): Buffer {
  const marked = encoding === 'utf-8' && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  return marked ? head.subarray(3) : head
}

type Convert = (chunk: Buffer | null) => Buffer

function transcoding(encoding: string, part: string): Convert {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(encoding, { fatal: true })
  } catch (error) {
    throw notDecodable(part, xmlMessages.unknownEncoding({ encoding }), error)
  }
  return (chunk) => {
    try {
      return Buffer.from(
        chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true }),
      )
    } catch (error) {
      throw notDecodable(part, xmlMessages.notInEncoding({ encoding }), error)
    }
  }
}

function checkingUtf8(part: string): Convert {
  let carried: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes =
      carried.length === 0 ? (chunk ?? carried) : Buffer.concat([carried, chunk ?? Buffer.alloc(0)])
    const end = bytes.length - (chunk === null ? 0 : unfinishedTail(bytes))
    const whole = bytes.subarray(0, end)
    if (!isUtf8(whole)) throw notDecodable(part, xmlMessages.notInEncoding({ encoding: 'UTF-8' }))
    carried = bytes.subarray(end)
    return whole
  }
}

function notDecodable(part: string, found: Message, cause?: unknown): EngineError {
  return new EngineError(
    xmlMessages.notDecodable({ part, found }),
    { kind: 'structure' },
    { cause },
  )
}
