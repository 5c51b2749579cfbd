const MAX_LENGTH = 4096
const PREFIX_LENGTH = 16
/** However short the key, this much of its end is never shown. */
const HIDDEN_LENGTH = 4

/** What is wrong with a key, already trimmed; null when it can be sent in a header as it is. */
export function apiKeyProblem(key: string): string | null {
  if (key === '') return 'must not be empty'
  if (key.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  if (!/^[\x21-\x7e]+$/.test(key)) return 'must be printable ASCII without white space'
  return null
}

/** The part of a key that people may see, to tell keys apart. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, Math.max(0, Math.min(PREFIX_LENGTH, key.length - HIDDEN_LENGTH)))
}
