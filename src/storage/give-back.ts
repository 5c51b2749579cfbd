/**
 * Takes bytes of a stream, or the last part of them, that nobody looks at any more. They are given
 * back in the order in which they came; what never is, is left to the garbage collector.
 */
export type GiveBack = (bytes: Uint8Array) => void

/** For two readers of the same stream: bytes are given back when both have done so. */
export function givenBackByBoth(giveBack: GiveBack): readonly [first: GiveBack, second: GiveBack] {
  const waiting = new WeakMap<ArrayBufferLike, number>()
  const from =
    (reader: number): GiveBack =>
    (bytes) => {
      const earlier = waiting.get(bytes.buffer)
      if (earlier === undefined) waiting.set(bytes.buffer, reader)
      else if (earlier !== reader) giveBack(bytes)
    }
  return [from(1), from(2)]
}
