import { OutboundError } from './errors.ts'

export interface JsonBounds {
  readonly maxDepth: number
  /** Arrays and objects: empty ones cost forty times the memory of their two bytes. */
  readonly maxContainers: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

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
    const byte = bytes[at]
    if (inString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) {
      inString = true
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      containers++
      if (++depth > maxDepth) {
        throw new OutboundError('malformed', `The answer is nested deeper than ${maxDepth} levels`)
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
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
