/** The bytes that JSON's grammar is made of. */
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const MINUS = 0x2d
export const PLUS = 0x2b
export const POINT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const SLASH = 0x2f
export const SPACE = 0x20
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const TAB = 0x09
export const LETTER_E = 0x45
export const LETTER_e = 0x65
export const LETTER_f = 0x66
export const LETTER_n = 0x6e
export const LETTER_t = 0x74
export const LETTER_u = 0x75

/** The value of a hexadecimal digit; -1 for any other byte. */
export const HEX_DIGITS = new Int8Array(256).map((_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(digit) ? -1 : digit
})
