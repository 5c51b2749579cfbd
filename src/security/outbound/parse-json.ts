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

/** Strict UTF-8, strict JSON, and bounded before anything is built from it. */
export function parseBoundedJson(bytes: Buffer, bounds: JsonBounds): unknown {
  checkBounds(bytes, bounds)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The cause would quote the answer.
    throw new OutboundError('malformed', 'The answer is not well-formed JSON')
  }
}

function checkBounds(bytes: Buffer, { maxDepth, maxContainers }: JsonBounds): void {
  let depth = 0
  let containers = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const meaning = MEANING[bytes[at]!]
    if (meaning === ORDINARY) continue
    if (meaning === QUOTE) {
      inString = !inString
    } else if (inString) {
      if (meaning === BACKSLASH) at++
    } else if (meaning === OPEN) {
      containers++
      if (++depth > maxDepth) {
        throw new OutboundError('malformed', `The answer is nested deeper than ${maxDepth} levels`)
      }
    } else if (meaning === CLOSE) {
      depth--
    }
  }
  if (containers > maxContainers) {
    throw new OutboundError(
      'too-large',
      `The answer holds more than ${maxContainers} arrays and objects`,
    )
  }
}
