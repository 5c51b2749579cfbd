/**
 * `attachment` with any file name (RFC 6266). `filename*` carries the exact name, in UTF-8 and
 * percent-encoded (RFC 8187), so nothing in it can end the header or the parameter; `filename` is
 * an ASCII approximation for clients that do not support it.
 */
export function attachmentDisposition(filename: string): string {
  // A lone surrogate cannot be encoded in UTF-8 and becomes the replacement character, as
  // everywhere else.
  const name = filename.toWellFormed()
  return `attachment; filename="${asciiLikeness(name)}"; filename*=UTF-8''${encodeExtended(name)}`
}

/** Keeps the part of ASCII that every client reads alike inside quotes: no `"`, `\`, `%`, `/`. */
function asciiLikeness(name: string): string {
  const likeness = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/gu, '_')
    .trim()
  return likeness === '' || likeness === '.' || likeness === '..' ? 'download' : likeness
}

/** Characters of RFC 8187's attr-char stay; everything else is percent-encoded. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
