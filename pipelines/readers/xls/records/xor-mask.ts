const MASK_BYTES = 16
const MOST_PASSWORD_BYTES = 15
/** Fills up a password that is shorter than the mask. */
const FILLING = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')

/**
 * The mask that Excel 95 combines the bytes of a workbook with under a password; null if the
 * password does not match the key and hash in the workbook.
 */
export function xorMask(key: number, hash: number, password: string): Uint8Array | null {
  const characters = Buffer.from(password, 'latin1').subarray(0, MOST_PASSWORD_BYTES)
  if (keyOf(characters) !== key || hashOf(characters) !== hash) return null
  const filled = Buffer.concat([characters, FILLING]).subarray(0, MASK_BYTES)
  return filled.map((byte, at) => {
    const mixed = byte ^ (at % 2 === 0 ? key & 0xff : key >> 8)
    return ((mixed << 2) | (mixed >> 6)) & 0xff
  })
}

function keyOf(characters: Buffer): number {
  let key = 0
  let base = 0x8000
  let end = 0xffff
  for (const character of characters.toReversed()) {
    for (let bit = 0; bit < 8; bit++) {
      base = turned(base)
      // Seven bits of each character count.
      if (bit < 7 && ((character >> bit) & 1) === 1) key ^= base
      end = turned(end)
    }
  }
  return key ^ end
}

/** One step of a 16-bit feedback shift register. */
function turned(register: number): number {
  const next = ((register << 1) | (register >> 15)) & 0xffff
  return (next & 1) === 1 ? next ^ 0x1020 : next
}

function hashOf(characters: Buffer): number {
  let hash = characters.length ^ 0xce4b
  for (const [at, character] of characters.entries()) {
    const by = (at + 1) % 15
    hash ^= ((character << by) | (character >> (15 - by))) & 0x7fff
  }
  return hash
}
