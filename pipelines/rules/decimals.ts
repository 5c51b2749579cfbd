/** Doubles that lie further apart than this share of them are in the order of what they stand for. */
const DOUBT = 1e-12
/** A double that is further away from another than this share of the other is apart from it. */
export const SURELY_APART = 3 * DOUBT

/** Compares decimals as they are written, with all of their digits. */
export function compareDecimals(one: string, other: string): number {
  if (one === other) return 0
  const a = Number(one)
  const b = Number(other)
  if (areApart(a, b)) return a - b
  const scale = Math.max(scaleOf(one), scaleOf(other))
  const difference = scaled(one, scale) - scaled(other, scale)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Whether doubles that are nearly two decimals tell which of them is greater. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) > DOUBT * (Math.abs(one) + Math.abs(other))
}

/** Digits after the point. */
export function scaleOf(decimal: string): number {
  const point = decimal.indexOf('.')
  return point === -1 ? 0 : decimal.length - point - 1
}

/** As a whole number of units of so many digits after the point. */
export function scaled(decimal: string, scale: number): bigint {
  const digits = decimal.replace('.', '')
  return BigInt(digits) * 10n ** BigInt(scale - scaleOf(decimal))
}

export function unscaled(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** One way to write it: without zeros at the end of the fraction. */
export function plainest(decimal: string): string {
  if (!decimal.includes('.')) return decimal === '-0' ? '0' : decimal
  let end = decimal.length
  while (decimal[end - 1] === '0') end--
  if (decimal[end - 1] === '.') end--
  const plain = decimal.slice(0, end)
  return plain === '-0' ? '0' : plain
}
