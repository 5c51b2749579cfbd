/**
 * How bytes begin if they are text, whatever its encoding: in latin1, without byte order mark and white
 * space in front, and without the zeros of UTF-16.
 */
export const beginningOf = (bytes: Buffer, mostBytes = bytes.length): string =>
  bytes
    .toString('latin1', 0, mostBytes)
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ|\s)+/, '')
