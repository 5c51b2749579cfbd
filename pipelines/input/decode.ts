import { isUtf8 } from 'node:buffer'

import { EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { ByteFlow } from './byte-flow.ts'
import { characterBytes, unfinishedTail, type Encoding } from './encoding.ts'
import { createLineCounter } from './line-counter.ts'

export interface DecodedFlow extends ByteFlow {
  /** Set once bytes turned up that the detected encoding cannot have. */
  readonly misjudged: Readonly<Partial<IngestOptions>> | null
}

/** Whatever the encoding, what comes out is valid UTF-8. UTF-8 itself is checked, not rewritten. */
export function decode(flow: ByteFlow, encoding: Encoding): DecodedFlow {
  if (encoding.name !== 'utf-8') return transcoded(flow, encoding)
  return encoding.evidence === 'valid UTF-8' ? presumedUtf8(flow) : declaredUtf8(flow)
}

/**
 * Chunks of whole characters; the beginning of one at the end of a chunk waits for its rest. All else
 * is handed on where it stands, so that whoever lent the chunk gets its memory back.
 */
function wholeCharacters(flow: ByteFlow): ByteFlow {
  let begun: Buffer = Buffer.alloc(0)
  let behind: Buffer | null = null
  return {
    async next() {
      for (;;) {
        const chunk = behind ?? (await flow.next())
        behind = null
        if (begun.length > 0) {
          const missing = chunk === null ? 0 : characterBytes(begun[0]!) - begun.length
          const character =
            chunk === null ? begun : Buffer.concat([begun, chunk.subarray(0, missing)])
          const isWhole = chunk === null || chunk.length >= missing
          begun = isWhole ? Buffer.alloc(0) : character
          if (chunk !== null && chunk.length > missing) behind = chunk.subarray(missing)
          if (isWhole) return character
        } else {
          if (chunk === null) return null
          const tail = unfinishedTail(chunk)
          begun = Buffer.from(chunk.subarray(chunk.length - tail))
          if (chunk.length > tail) return chunk.subarray(0, chunk.length - tail)
        }
      }
    },
    close: () => flow.close(),
  }
}

/**
 * UTF-8 because the first bytes were. The first bytes that are not show that the file is
 * windows-1252: the rest is read as such, so that the pass can go on, and the engine begins again.
 */
function presumedUtf8(flow: ByteFlow): DecodedFlow {
  const characters = wholeCharacters(flow)
  let latin: InstanceType<typeof TextDecoder> | null = null
  return {
    get misjudged() {
      return latin === null ? null : { encoding: 'windows-1252' }
    },
    async next() {
      const bytes = await characters.next()
      if (bytes === null) return null
      if (latin === null && isUtf8(bytes)) return bytes
      latin ??= new TextDecoder('windows-1252')
      return Buffer.from(latin.decode(bytes), 'utf8')
    },
    close: () => characters.close(),
  }
}

/** UTF-8 because the request or a byte order mark says so: anything else is a broken file. */
function declaredUtf8(flow: ByteFlow): DecodedFlow {
  const characters = wholeCharacters(flow)
  const lines = createLineCounter()
  return {
    misjudged: null,
    async next() {
      const bytes = await characters.next()
      if (bytes === null) return null
      if (!isUtf8(bytes)) {
        const line = lines.lineAt(bytes, firstInvalid(bytes))
        throw new EngineError(`Line ${line} holds bytes that are not UTF-8.`, {
          kind: 'structure',
          line,
        })
      }
      lines.pass(bytes)
      return bytes
    },
    close: () => characters.close(),
  }
}

function transcoded(flow: ByteFlow, encoding: Encoding): DecodedFlow {
  const decoder = new TextDecoder(encoding.name, { fatal: true, ignoreBOM: true })
  const lines = createLineCounter()
  let ended = false
  const decodeChunk = (chunk: Buffer | null) => {
    try {
      return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      const text = new TextDecoder(encoding.name).decode(chunk ?? undefined)
      const before = Buffer.from(text.slice(0, Math.max(0, text.indexOf('\ufffd'))), 'utf8')
      const line = lines.lineAt(before, before.length)
      throw new EngineError(
        `Line ${line} holds bytes that are not ${encoding.name}.`,
        { kind: 'structure', line },
        { cause },
      )
    }
  }
  return {
    misjudged: null,
    async next() {
      while (!ended) {
        const chunk = await flow.next()
        ended = chunk === null
        const text = decodeChunk(chunk)
        if (text.length === 0) continue
        const bytes = Buffer.from(text, 'utf8')
        lines.pass(bytes)
        return bytes
      }
      return null
    },
    close: () => flow.close(),
  }
}

/** Halves the bytes until the character stands alone that makes them invalid. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    const part = bytes.subarray(0, middle)
    if (isUtf8(part.subarray(0, part.length - unfinishedTail(part)))) valid = middle
    else invalid = middle
  }
  return valid
}
