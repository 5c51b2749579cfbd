import type { ByteFlow } from '../../core/input.ts'

/** The same flow with bytes put back at its start. */
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
