import { invalidField } from '../../errors/index.ts'
import { bodyMessages } from './body-messages.ts'

const MAX_CHARACTERS = 255

/** Browsers write these three escapes into a multipart file name, and no others. */
const BROWSER_ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' }

export function fileNameFromMultipart(name: string | undefined): string {
  const text = (name ?? '').replaceAll(
    /%(?:22|0d|0a)/gi,
    (escape) => BROWSER_ESCAPES[escape.toLowerCase()]!,
  )
  return checkedFileName(text, '/file')
}

/** `X-Filename` is percent-encoded UTF-8, since a header holds no other characters safely. */
export function fileNameFromHeader(value: string | undefined): string {
  const pointer = '/headers/x-filename'
  try {
    return checkedFileName(decodeURIComponent(value ?? ''), pointer)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw invalidField(pointer, bodyMessages.percentEncoded(), error)
  }
}

/** Only the base name, whichever system's separators the client used. */
export function checkedFileName(text: string, pointer: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  if (name === '' || name === '.' || name === '..')
    throw invalidField(pointer, bodyMessages.fileName())
  if (name.includes('\0')) throw invalidField(pointer, bodyMessages.nul())
  if (!name.isWellFormed()) throw invalidField(pointer, bodyMessages.wellFormed())
  if ([...name].length > MAX_CHARACTERS) {
    throw invalidField(pointer, bodyMessages.longFileName({ most: MAX_CHARACTERS }))
  }
  return name
}
