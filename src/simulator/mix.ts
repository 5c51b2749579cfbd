/**
 * Mixes two numbers into a 32-bit one: the only source of chance, so that every run is the same.
 */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** Created for the first uuid, so that it does not delay the start. */
let fourDigits: readonly string[] | null = null
function hex4(value: number): string {
  fourDigits ??= Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0'))
  return fourDigits[value & 0xffff]!
}
const hex8 = (value: number) => hex4(value >>> 16) + hex4(value)
/** The three digits after the one that the format of a uuid prescribes. */
const hex3 = (value: number) => hex4(value).slice(1)

/** A version 4 uuid derived from two numbers. */
export function uuidOf(a: number, b: number): string {
  const h1 = mix(a, b)
  const h2 = mix(b, a + 1)
  return `${hex8(h1)}-${hex4(h2)}-4${hex3(h2 >>> 16)}-a${hex3(h1 ^ h2)}-${hex4(h2 ^ a)}${hex8(b)}`
}
