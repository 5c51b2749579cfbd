/**
 * `attachment` under any file name (RFC 6266). `filename*` carries the name exactly, in UTF-8 and
 * percent-encoded (RFC 8187), so nothing in it can end the header or the parameter; `filename` is
 * the ASCII likeness for clients that know no better.
 */
export function attachmentDisposition(filename: string): string {
  // A lone surrogate has no UTF-8: the replacement character stands for it, as everywhere else.
  const name = filename.toWellFormed()
  return `attachment; filename="${asciiLikeness(name)}"; filename*=UTF-8''${encodeExtended(name)}`
}

/** The part of ASCII that every client reads alike inside quotes: no `"`, `\`, `%`, `/`. */
function asciiLikeness(name: string): string {
  const likeness = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/gu, '_')
    .trim()
  return likeness === '' || likeness === '.' || likeness === '..' ? 'download' : likeness
}

/** RFC 8187 attr-char stay, all else is percent-encoded. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
