import { baseUrlMessages } from './outbound-messages.ts'
import { type Message } from '../../../pipelines/index.ts'

const MAX_LENGTH = 2048

/** The message completes a sentence that begins with `baseUrl`. */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError'
  readonly text: Message

  constructor(text: Message) {
    super(String(text))
    this.text = text
  }
}

/**
 * The address of a remote application in its stored form: absolute, http or https, without
 * credentials, query, fragment or trailing slash, so that a path can simply be appended.
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new BaseUrlError(baseUrlMessages.empty())
  if (trimmed.length > MAX_LENGTH) throw tooLong()
  // A URL parser silently drops tabs and line breaks; the stored address should be what was meant.
  if (/[\p{Cc}\s\\]/u.test(trimmed)) {
    throw new BaseUrlError(baseUrlMessages.whiteSpace())
  }
  if (!/^https?:\/\//i.test(trimmed)) throw new BaseUrlError(baseUrlMessages.address())
  if (!URL.canParse(trimmed)) throw new BaseUrlError(baseUrlMessages.host())
  const url = new URL(trimmed)
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(baseUrlMessages.credentials())
  }
  if (trimmed.includes('?')) throw new BaseUrlError(baseUrlMessages.query())
  if (trimmed.includes('#')) throw new BaseUrlError(baseUrlMessages.fragment())

  const normalised = (url.origin + url.pathname).replace(/\/+$/, '')
  // Percent-encoding may have made it longer.
  if (normalised.length > MAX_LENGTH) throw tooLong()
  return normalised
}

function tooLong(): BaseUrlError {
  return new BaseUrlError(baseUrlMessages.tooLong({ most: MAX_LENGTH }))
}
