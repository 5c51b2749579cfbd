import { sameBytes } from '../cells/known-words.ts'

/** Texts that are looked up by their bytes, without a string of what is looked up. */
export class KnownTexts {
  readonly #byHash = new Map<number, Buffer[]>()

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const bytes = Buffer.from(text)
      const hash = hashOf(bytes, 0, bytes.length)
      const alike = this.#byHash.get(hash)
      if (alike === undefined) this.#byHash.set(hash, [bytes])
      else alike.push(bytes)
    }
  }

  has(bytes: Buffer, from: number, to: number): boolean {
    const alike = this.#byHash.get(hashOf(bytes, from, to))
    if (alike === undefined) return false
    for (const text of alike) if (sameBytes(bytes, from, to, text)) return true
    return false
  }
}

/** Of 31 bits, so that it stays a small number; `seed`: that of what stands before. */
export function hashOf(bytes: Buffer, from: number, to: number, seed = to - from): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + bytes[at]!) & 0x7fff_ffff
  return hash
}
