/**
 * The beginning of a text, at most this long in UTF-16 units, followed by `mark` if something was
 * left out. It ends between two characters: half of one is nothing that people can read, and
 * PostgreSQL refuses JSON that holds it.
 */
export function cutText(text: string, most: number, mark = ''): string {
  if (text.length <= most) return text
  return text.slice(0, isInsideCharacter(text, most) ? most - 1 : most) + mark
}

/** The end of a text in the same way. */
export function cutToEnd(text: string, most: number): string {
  const from = Math.max(0, text.length - most)
  return text.slice(isInsideCharacter(text, from) ? from + 1 : from)
}

/** Whether the units before and at this position are one character. */
function isInsideCharacter(text: string, at: number): boolean {
  return at > 0 && isHighHalf(text.charCodeAt(at - 1)) && isLowHalf(text.charCodeAt(at))
}

const isHighHalf = (unit: number): boolean => unit >= 0xd8_00 && unit < 0xdc_00
const isLowHalf = (unit: number): boolean => unit >= 0xdc_00 && unit < 0xe0_00

/** The same of UTF-8 between two positions, at most this many bytes of it. */
export function cutUtf8(bytes: Buffer, from: number, to: number, most: number, mark = ''): string {
  if (to - from <= most) return bytes.toString('utf8', from, to)
  let end = from + most
  while (end > from && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', from, end) + mark
}

const CHARACTERS_SHOWN = 80

/** A name as it may stand in a message. */
export function shownName(name: string): string {
  return cutText(name.replaceAll(/\p{C}/gu, '\u{fffd}'), CHARACTERS_SHOWN, '…')
}

/** The lines of the beginning of a text, without the last one if it may be cut. */
export function wholeLines(text: string, isWhole: boolean): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  return isWhole ? lines : lines.slice(0, -1)
}
