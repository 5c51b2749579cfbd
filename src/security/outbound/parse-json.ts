import { OutboundError } from './errors.ts'

export interface JsonBounds {
  readonly maxDepth: number
  /** Arrays and objects: empty ones cost forty times the memory of their two bytes. */
  readonly maxContainers: number
}

const ORDINARY = 0
const QUOTE = 1
const BACKSLASH = 2
const OPEN = 3
const CLOSE = 4

/** What a byte means for the structure; nearly all mean nothing, and one look says so. */
const MEANING = new Uint8Array(256)
MEANING[0x22] = QUOTE
MEANING[0x5c] = BACKSLASH
MEANING[0x5b] = OPEN
MEANING[0x7b] = OPEN
MEANING[0x5d] = CLOSE
MEANING[0x7d] = CLOSE

/**
 * Takes JSON as it arrives, and checks its bounds while the next chunk is on its way, before anything
 * is built from it. Strict UTF-8, strict JSON.
 */
export interface JsonCollector {
  take(chunk: Buffer): void
  end(): unknown
}

export function createJsonCollector(bounds: JsonBounds): JsonCollector {
  const checkBounds = createBoundsCheck(bounds)
  const chunks: Buffer[] = []
  return {
    take(chunk) {
      checkBounds(chunk)
      chunks.push(chunk)
    },
    // Decoded in one go: a text put together from pieces is parsed at half the speed.
    end: () => parse(Buffer.concat(chunks)),
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The cause would quote the answer.
    throw new OutboundError('malformed', 'The answer is not well-formed JSON')
  }
}

function createBoundsCheck({ maxDepth, maxContainers }: JsonBounds): (chunk: Buffer) => void {
  let depth = 0
  let containers = 0
  let inString = false
  /** Set when a chunk ends with a backslash: what it escapes begins the next one. */
  let carriedEscape = 0
  return (bytes) => {
    let at = carriedEscape
    for (; at < bytes.length; at++) {
      const meaning = MEANING[bytes[at]!]
      if (meaning === ORDINARY) continue
      if (meaning === QUOTE) {
        inString = !inString
      } else if (inString) {
        if (meaning === BACKSLASH) at++
      } else if (meaning === OPEN) {
        containers++
        if (++depth > maxDepth) throw tooDeep(maxDepth)
      } else if (meaning === CLOSE) {
        depth--
      }
    }
    carriedEscape = at - bytes.length
    if (containers > maxContainers) throw tooMany(maxContainers)
  }
}

function tooDeep(maxDepth: number): OutboundError {
  return new OutboundError('malformed', `The answer is nested deeper than ${maxDepth} levels`)
}

function tooMany(maxContainers: number): OutboundError {
  return new OutboundError(
    'too-large',
    `The answer holds more than ${maxContainers} arrays and objects`,
  )
}
