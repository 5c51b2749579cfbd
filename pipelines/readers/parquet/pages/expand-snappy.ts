import { viewOf } from '../../byte-sink.ts'

const LITERAL = 0
const NEAR_COPY = 1
const COPY = 2
/** For sizes from here on, the bytes after the tag give the size. */
const SHORT_LITERAL = 60
/** Up to this length, bytes are copied four at a time; a call into native code takes longer. */
const SHORT_BYTES = 160

/**
 * Expands Snappy data to `length` bytes; throws a `RangeError` if the result has another size. The
 * available libraries would start a WebAssembly machine for every page.
 */
export function expandSnappy(bytes: Buffer, length: number): Buffer {
  const out = Buffer.allocUnsafeSlow(length)
  const from = viewOf(bytes)
  const to = viewOf(out)
  const end = bytes.length
  let filled = 0
  let at = behindLength(bytes)
  while (at < end) {
    const tag = bytes[at]!
    at += 1
    const kind = tag & 3
    if (kind === LITERAL) {
      let size = (tag >>> 2) + 1
      if (size > SHORT_LITERAL) {
        const more = size - SHORT_LITERAL
        if (at + more > end) throw cut()
        size = bytes.readUIntLE(at, more) + 1
        at += more
      }
      if (size > end - at || size > length - filled) throw cut()
      const hasRoom = at + size + 4 <= end && filled + size + 4 <= length
      if (size <= SHORT_BYTES && hasRoom) {
        for (let done = 0; done < size; done += 4) {
          to.setInt32(filled + done, from.getInt32(at + done))
        }
      } else out.set(bytes.subarray(at, at + size), filled)
      at += size
      filled += size
      continue
    }
    let size = (tag >>> 2) + 1
    let offset: number
    if (kind === NEAR_COPY) {
      if (at + 1 > end) throw cut()
      size = ((tag >>> 2) & 7) + 4
      offset = ((tag >>> 5) << 8) | bytes[at]!
      at += 1
    } else if (kind === COPY) {
      if (at + 2 > end) throw cut()
      offset = from.getUint16(at, true)
      at += 2
    } else {
      if (at + 4 > end) throw cut()
      offset = from.getUint32(at, true)
      at += 4
    }
    if (offset === 0 || offset > filled || size > length - filled) throw cut()
    const source = filled - offset
    if (offset >= 4 && filled + size + 4 <= length) {
      for (let done = 0; done < size; done += 4) {
        to.setInt32(filled + done, to.getInt32(source + done))
      }
    } else for (let done = 0; done < size; done++) out[filled + done] = out[source + done]!
    filled += size
  }
  if (filled !== length) throw cut()
  return out
}

/** The position after the stated length of the result, which the page states as well. */
function behindLength(bytes: Buffer): number {
  for (let at = 0; at < Math.min(5, bytes.length); at++) if (bytes[at]! < 0x80) return at + 1
  throw cut()
}

const cut = (): RangeError => new RangeError('compressed bytes are cut')
