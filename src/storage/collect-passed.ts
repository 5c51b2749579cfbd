import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_BYTES = 16 * 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | null = null
let passed = 0

/**
 * Lets go, every few megabytes, of the buffers that bodies came in. They are dead by then, but V8 does
 * not count what lies outside of its heap when it decides to collect the young part, and marks all that
 * lives when there is too much of it (docs/adr/0025-memory-is-bounded-not-returned.md).
 */
export function collectPassed(bytes: number): void {
  passed += bytes
  if (passed < EVERY_BYTES) return
  passed = 0
  collect ??= findCollect()
  collect({ type: 'minor' })
}

/** V8 shows it only to contexts that are made while it is told to. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}
