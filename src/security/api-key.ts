import { apiKeyMessages } from './api-key-messages.ts'
import { type Message } from '../../pipelines/index.ts'

const MAX_LENGTH = 4096
const PREFIX_LENGTH = 16
/** This much of the end of a key is never shown, however short the key is. */
const HIDDEN_LENGTH = 4

/** What is wrong with a key that has been trimmed; null if it can be sent in a header as it is. */
export function apiKeyProblem(key: string): Message | null {
  if (key === '') return apiKeyMessages.empty()
  if (key.length > MAX_LENGTH) return apiKeyMessages.tooLong({ most: MAX_LENGTH })
  if (!/^[\x21-\x7e]+$/.test(key)) return apiKeyMessages.notPrintable()
  return null
}

/** The part of a key that people may see, to tell keys apart. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, Math.max(0, Math.min(PREFIX_LENGTH, key.length - HIDDEN_LENGTH)))
}
