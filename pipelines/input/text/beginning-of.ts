/**
 * How bytes begin if they are text of any encoding: as latin1, without a leading byte order mark
 * and white space, and without the zeros of UTF-16.
 */
export const beginningOf = (bytes: Buffer, mostBytes = bytes.length): string =>
  bytes
    .toString('latin1', 0, mostBytes)
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ|\s)+/, '')
