const MAX_LENGTH = 2048

/** The message completes the sentence "baseUrl ...". */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError'
}

/**
 * The address of a remote application as it is stored: absolute, http or https, without
 * credentials, query, fragment or trailing slash, so that a path can simply be put behind it.
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new BaseUrlError('must not be empty')
  if (trimmed.length > MAX_LENGTH) throw tooLong()
  // A URL parser drops tabs and line breaks silently; what is stored should be what was meant.
  if (/[\p{Cc}\s\\]/u.test(trimmed)) {
    throw new BaseUrlError('must not contain white space, control characters or backslashes')
  }
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) {
    throw new BaseUrlError('must be an address that begins with http:// or https://')
  }
  const url = new URL(trimmed)
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError('must not contain credentials')
  }
  if (trimmed.includes('?')) throw new BaseUrlError('must not contain a query')
  if (trimmed.includes('#')) throw new BaseUrlError('must not contain a fragment')

  const normalised = (url.origin + url.pathname).replace(/\/+$/, '')
  // Percent-encoding may have made it longer.
  if (normalised.length > MAX_LENGTH) throw tooLong()
  return normalised
}

function tooLong(): BaseUrlError {
  return new BaseUrlError(`must have at most ${MAX_LENGTH} characters`)
}
