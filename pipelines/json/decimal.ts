/** Longer decimals are left as written: ten bytes must not become a hundred thousand. */
const LONGEST_DECIMAL = 1000

/**
 * A JSON number as a plain decimal with all the digits that were written: `1.50` stays, `1.5E3`
 * becomes `1500`, `-0` becomes `0`. Null if that would be disproportionately long.
 */
export function canonicalDecimal(written: string): string | null {
  const [mantissa = '', exponentText = '0'] = written.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.')
  const digits = whole + fraction
  const exponent = Number(exponentText)
  if (isZero(digits)) return exponent === 0 && fraction !== '' ? `0.${fraction}` : '0'
  const sign = negative ? '-' : ''
  if (exponent === 0) return sign + mantissa.slice(sign.length)
  const point = whole.length + exponent
  if (Math.abs(point) + digits.length > LONGEST_DECIMAL) return null
  return sign + withPoint(digits, point)
}

function isZero(digits: string): boolean {
  for (const digit of digits) if (digit !== '0') return false
  return true
}

function withPoint(digits: string, point: number): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return withoutLeadingZeros(digits + '0'.repeat(point - digits.length))
  return `${withoutLeadingZeros(digits.slice(0, point))}.${digits.slice(point)}`
}

function withoutLeadingZeros(whole: string): string {
  let from = 0
  while (from < whole.length - 1 && whole[from] === '0') from += 1
  return whole.slice(from)
}
