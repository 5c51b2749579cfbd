/** Names that exports use; others are left as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{a0}',
  euro: '€',
  pound: '£',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  deg: '°',
  ordm: 'º',
  ordf: 'ª',
  middot: '·',
  sup2: '²',
  sup3: '³',
  times: '×',
  oelig: 'œ',
  OElig: 'Œ',
  aelig: 'æ',
  AElig: 'Æ',
  szlig: 'ß',
  oslash: 'ø',
  Oslash: 'Ø',
}

/** By the last part of a name such as `eacute`: the accent that is added to its letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u{300}',
  acute: '\u{301}',
  circ: '\u{302}',
  tilde: '\u{303}',
  uml: '\u{308}',
  ring: '\u{30a}',
  cedil: '\u{327}',
}
const ACCENTED = /^([a-z])(grave|acute|circ|tilde|uml|ring|cedil)$/i
const LAST_CODE = 0x10ffff

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d?));?/gi,
    (all, ...parts) => {
      const [decimal, hexadecimal, name] = parts as [string?, string?, string?]
      if (name !== undefined) return named(name) ?? all
      const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
      const isCharacter = code > 0 && code <= LAST_CODE && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : all
    },
  )
}

function named(name: string): string | undefined {
  const accented = ACCENTED.exec(name)
  if (accented === null) return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  return `${accented[1]}${ACCENTS[accented[2]!.toLowerCase()]}`.normalize('NFC')
}
