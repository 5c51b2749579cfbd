import { OutboundError } from './errors.ts'
import type { BodyCollector } from './read-body.ts'
import { outboundMessages } from './outbound-messages.ts'

interface JsonBounds {
  readonly maxDepth: number
  /**
   * Values, arrays and objects among them: a crowd of small ones takes forty times the memory of its
   * bytes, and seconds of everybody's time. Nearly all are counted, by what separates and opens them.
   */
  readonly maxValues: number
}

/**
 * Takes JSON as it arrives. What has more bytes than the values that it may hold is looked through
 * while the next chunk is on its way, before anything is built from it; what is smaller cannot hold
 * too many. Strict UTF-8, strict JSON.
 */
export function createJsonCollector({ maxDepth, maxValues }: JsonBounds): BodyCollector<unknown> {
  const countValues = createValueCount(maxValues)
  const chunks: Buffer[] = []
  let size = 0
  let counted = 0
  return {
    take(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (size <= maxValues) return
      for (; counted < chunks.length; counted++) countValues(chunks[counted]!)
    },
    end() {
      // Decoded in one go: a text put together from pieces is parsed at half the speed.
      const bytes = Buffer.concat(chunks)
      return wellFormed(() => {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        const value: unknown = JSON.parse(text)
        refuseDeeper(value, maxDepth)
        return value
      })
    },
  }
}

function wellFormed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof OutboundError) throw error
    // The cause would quote the answer.
    throw new OutboundError('malformed', outboundMessages.malformedJson())
  }
}

function refuseDeeper(value: unknown, levels: number, maxDepth = levels): void {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) {
    throw new OutboundError('malformed', outboundMessages.nested({ most: maxDepth }))
  }
  for (const member of Object.values(value)) refuseDeeper(member, levels - 1, maxDepth)
}

const DOUBLE_QUOTE = 0x22
const BACKSLASH = 0x5c

const QUOTE = 1
const VALUE = 2

/** What a byte outside of strings means for the structure. */
const MEANING = new Uint8Array(256)
MEANING[DOUBLE_QUOTE] = QUOTE
for (const sign of ['[', '{', ',']) MEANING[sign.charCodeAt(0)] = VALUE

function createValueCount(maxValues: number): (chunk: Buffer) => void {
  let values = 0
  let inString = false
  /** Set when a chunk ends with a backslash: what it escapes begins the next one. */
  let carriedEscape = 0
  return (bytes) => {
    // Asked once: in a loop it costs more than the byte that is read.
    const { length } = bytes
    let at = carriedEscape
    while (at < length) {
      if (inString) {
        at = stringEnd(bytes, at)
        inString = at >= length
        if (!inString) at++
        continue
      }
      const meaning = MEANING[bytes[at++]!]
      if (meaning === QUOTE) inString = true
      else if (meaning === VALUE) values++
    }
    carriedEscape = at - length
    if (values <= maxValues) return
    throw new OutboundError('too-large', outboundMessages.manyValues({ most: maxValues }))
  }
}

/** Where the quote that ends a string is; behind the bytes where it does not end among them. */
function stringEnd(bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  for (; at < length; at++) {
    const byte = bytes[at]
    if (byte === DOUBLE_QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return at
}
