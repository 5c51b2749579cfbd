const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`,
)
const MAX_LENGTH = 255

const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'

/** The type that a client stated, if it is a valid header value; otherwise the type that says nothing. */
export function safeContentType(claimed: string | undefined): string {
  if (claimed === undefined || claimed.length > MAX_LENGTH || !MEDIA_TYPE.test(claimed)) {
    return UNKNOWN_CONTENT_TYPE
  }
  return claimed
}
