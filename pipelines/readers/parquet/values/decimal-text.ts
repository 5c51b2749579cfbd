import type { ByteSink } from '../../byte-sink.ts'

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const MOST_DIGITS = 16
const MOST_SCALE = 1000

/** A whole number that a double holds exactly. */
export function writeInteger(value: number, out: ByteSink): void {
  out.reserve(MOST_DIGITS + 2)
  let left = value
  if (left < 0) {
    out.push(MINUS)
    left = -left
  }
  let digits = 1
  for (let limit = 10; left >= limit; limit *= 10) digits += 1
  const { bytes } = out
  let at = out.length + digits
  out.length = at
  do {
    const rest = Math.floor(left / 10)
    at -= 1
    bytes[at] = ZERO + (left - rest * 10)
    left = rest
  } while (left > 0)
}

/** `unscaled` times ten to the power of `-scale`, with all decimals. */
export function smallDecimal(unscaled: number, scale: number, out: ByteSink): void {
  if (scale === 0) return writeInteger(unscaled, out)
  if (scale < 0 || scale > MOST_DIGITS) return bigDecimal(BigInt(unscaled), scale, out)
  if (unscaled < 0) out.push(MINUS)
  const positive = Math.abs(unscaled)
  const unit = 10 ** scale
  const whole = Math.floor(positive / unit)
  writeInteger(whole, out)
  out.push(POINT)
  let fraction = positive - whole * unit
  out.reserve(scale)
  const { bytes } = out
  out.length += scale
  for (let at = out.length - 1; at >= out.length - scale; at--) {
    const rest = Math.floor(fraction / 10)
    bytes[at] = ZERO + (fraction - rest * 10)
    fraction = rest
  }
}

export function bigDecimal(unscaled: bigint, scale: number, out: ByteSink): void {
  if (Math.abs(scale) > MOST_SCALE) throw new RangeError('a decimal has too many places')
  if (scale <= 0) {
    out.ascii(String(unscaled * 10n ** BigInt(-scale)))
    return
  }
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  out.ascii(`${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
}
