import { cutText } from '../../pipelines/index.ts'
import { MalformedBodyException } from '../errors/index.ts'
import { bodyMessages } from './body/body-messages.ts'

/** Deeper than any body of the service, and far below what would overflow a recursive function. */
const MAX_DEPTH = 64
/** More than any object of the service has. */
const MOST_KEYS = 10_000

/**
 * JSON as the service accepts it. `JSON.parse` alone would accept duplicate keys (using the last),
 * any depth, unpaired surrogates and NUL; each of these is refused here, with its position.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text.trim() === '') return undefined
  checkStructure(text)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new MalformedBodyException(bodyMessages.malformedJson(), { cause: error })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new MalformedBodyException(bodyMessages.notUtf8(), { cause: error })
  }
}

/** One pass over the text, without recursion. Whatever it accepts goes on to `JSON.parse`. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = []
  let expectKey = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') {
      const { end, hasEscapes } = closingQuote(text, at)
      const keys = expectKey ? open.at(-1) : null
      const value = hasEscapes ? parseString(text.slice(at, end + 1), at) : null
      if (keys) {
        const key = value ?? text.slice(at + 1, end)
        if (keys.has(key)) {
          throw new MalformedBodyException(bodyMessages.keyTwice({ key: cutText(key, 100) }))
        }
        keys.add(key)
        if (keys.size > MOST_KEYS) {
          throw new MalformedBodyException(bodyMessages.manyKeys({ most: MOST_KEYS }))
        }
        expectKey = false
      }
      at = end
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > MAX_DEPTH) {
        throw new MalformedBodyException(bodyMessages.nested({ most: MAX_DEPTH }))
      }
      expectKey = character === '{'
    } else if (character === '}' || character === ']') {
      open.pop()
      expectKey = false
    } else if (character === ',') {
      expectKey = open.at(-1) instanceof Set
    }
  }
}

/** What has no escapes stands for itself: `JSON.parse` refuses NUL, and UTF-8 has no single surrogates. */
function closingQuote(text: string, start: number): { end: number; hasEscapes: boolean } {
  let hasEscapes = false
  let at = start + 1
  while (at < text.length) {
    if (text[at] === '\\') {
      hasEscapes = true
      at += 2
    } else if (text[at] === '"') return { end: at, hasEscapes }
    else at++
  }
  throw new MalformedBodyException(bodyMessages.stringOpen({ at: start }))
}

function parseString(quoted: string, at: number): string {
  let value: string
  try {
    value = JSON.parse(quoted) as string
  } catch (error) {
    throw new MalformedBodyException(bodyMessages.stringInvalid({ at }), {
      cause: error,
    })
  }
  if (value.includes('\0')) {
    throw new MalformedBodyException(bodyMessages.stringNul({ at }))
  }
  if (!value.isWellFormed()) {
    throw new MalformedBodyException(bodyMessages.stringSurrogate({ at }))
  }
  return value
}
