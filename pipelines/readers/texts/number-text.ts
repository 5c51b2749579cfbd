const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** A decimal with this many digits survives conversion to a double, so its text is exact. */
const EXACT_DIGITS = 15
/** Beyond this many characters an exponent reads better than zeros. */
const MAX_PLAIN_LENGTH = 40

/** True when the bytes are a plain decimal that is already its own shortest exact form. */
export function isCanonicalNumber(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  if (bytes[at] === MINUS) at += 1
  const first = at
  const leadingZero = bytes[first] === ZERO
  while (at < end && isDigit(bytes[at]!)) at += 1
  const whole = at - first
  if (whole === 0 || (leadingZero && whole > 1)) return false
  // A zero with a sign is not canonical; `-0.5` is handled below.
  if (at === end) return whole <= EXACT_DIGITS && !(leadingZero && first > start)
  if (bytes[at] !== POINT) return false
  at += 1
  while (at < end && isDigit(bytes[at]!)) at += 1
  return (
    at === end &&
    end - first - 1 <= EXACT_DIGITS &&
    bytes[end - 1] !== ZERO &&
    bytes[end - 1] !== POINT
  )
}

/**
 * The shortest text for exactly this number, or null if it is not one. A workbook stores doubles
 * and writes them with 17 digits (`1.1000000000000001`); a whole number too long for a double can
 * only come from elsewhere, and keeps its digits.
 */
export function canonicalNumber(text: string): string | null {
  const trimmed = text.trim()
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,5})?$/.test(trimmed)) return null
  const whole = /^\+?(-?)0*(0|[1-9]\d*)(?:\.0*)?$/.exec(trimmed)
  if (whole !== null) return whole[2] === '0' ? '0' : `${whole[1]}${whole[2]}`
  const value = Number(trimmed)
  // Beyond a double's range the text is all there is.
  if (!Number.isFinite(value)) return trimmed
  return canonicalDouble(value)
}

/** The shortest text for exactly this finite number. */
export function canonicalDouble(value: number): string {
  return withoutExponent(String(value))
}

function withoutExponent(text: string): string {
  if (!text.includes('e')) return text === '-0' ? '0' : text
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (parts === null) return text
  const [, sign = '', first = '', rest = '', exponentText = ''] = parts
  const digits = first + rest
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > MAX_PLAIN_LENGTH) return text.replace('e+', 'e')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}
