import { sameBytes } from '../cells/known-words.ts'

/** Texts that are looked up by their bytes, without a string of what is looked up. */
export class KnownTexts {
  /** Each at the place that its hash names, or at the next one that was free. */
  readonly #places: (Buffer | null)[]
  readonly #longest: number

  constructor(texts: readonly string[]) {
    const all = texts.map((text) => Buffer.from(text))
    this.#longest = Math.max(0, ...all.map(({ length }) => length))
    this.#places = Array.from({ length: 2 ** Math.ceil(Math.log2(2 * all.length + 1)) }, () => null)
    for (const text of all) {
      let place = this.#placeOf(text, 0, text.length)
      while (this.#places[place] !== null) place = this.#behind(place)
      this.#places[place] = text
    }
  }

  has(bytes: Buffer, from: number, to: number): boolean {
    if (to - from > this.#longest) return false
    const places = this.#places
    for (let place = this.#placeOf(bytes, from, to); ; place = this.#behind(place)) {
      const text = places[place]!
      if (text === null) return false
      if (sameBytes(bytes, from, to, text)) return true
    }
  }

  #placeOf(bytes: Buffer, from: number, to: number): number {
    return hashOf(bytes, from, to) & (this.#places.length - 1)
  }

  #behind(place: number): number {
    return (place + 1) & (this.#places.length - 1)
  }
}

/** Of 31 bits, so that it stays a small number; `seed`: that of what stands before. */
export function hashOf(bytes: Buffer, from: number, to: number, seed = to - from): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + bytes[at]!) & 0x7fff_ffff
  return hash
}
