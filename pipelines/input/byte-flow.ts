/**
 * Bytes being pulled. Stages wrap one flow in another; nothing is read before it is asked for, so
 * back-pressure needs no code.
 */
export interface ByteFlow {
  /** The next bytes, never empty, or null at the end. */
  next(): Promise<Buffer | null>
  /** Takes back bytes that nobody looks at any more, or a part of them: their memory is used again. */
  release?(bytes: Buffer): void
  /** May be called at any time, also twice, also while `next` is pending. */
  close(): Promise<void>
}

export interface CountedFlow extends ByteFlow {
  readonly bytesRead: number
}

/** The same flow with bytes put back in front of it. */
export function withHead(head: Buffer, rest: ByteFlow): ByteFlow {
  let pending: Buffer | null = head.length > 0 ? head : null
  return {
    next() {
      const bytes = pending
      if (bytes === null) return rest.next()
      pending = null
      return Promise.resolve(bytes)
    },
    release: (bytes) => rest.release?.(bytes),
    close: () => rest.close(),
  }
}

/** Reads until there are at least `length` bytes, or all there is. */
export async function readHead(flow: ByteFlow, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let have = 0
  while (have < length) {
    const chunk = await flow.next()
    if (chunk === null) break
    parts.push(chunk)
    have += chunk.length
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
