import { OutboundError } from './errors.ts'
import type { BodyCollector } from './read-body.ts'
import { outboundMessages } from './outbound-messages.ts'

interface JsonBounds {
  readonly maxDepth: number
  /**
   * Counts values, including arrays and objects: many small ones take forty times the memory of
   * their bytes, and block everyone for seconds. Nearly all of them are counted, by their
   * separators and opening brackets.
   */
  readonly maxValues: number
}

/**
 * Collects JSON as it arrives. Once it has more bytes than the allowed number of values, it is
 * scanned while waiting for the next chunk, before anything is built from it; a shorter text cannot
 * contain too many. Strict UTF-8, strict JSON.
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
      // Decoded in one go, since a string assembled from pieces is parsed at half the speed.
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

/** The structural meaning of a byte outside of strings. */
const MEANING = new Uint8Array(256)
MEANING[DOUBLE_QUOTE] = QUOTE
for (const sign of ['[', '{', ',']) MEANING[sign.charCodeAt(0)] = VALUE

function createValueCount(maxValues: number): (chunk: Buffer) => void {
  let values = 0
  let inString = false
  /**
   * Set when a chunk ends with a backslash: the escaped character is at the start of the next one.
   */
  let carriedEscape = 0
  return (bytes) => {
    // Read once: inside the loop it costs more than reading a byte.
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

/** Position of the quote that ends a string; past the bytes if it does not end among them. */
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
