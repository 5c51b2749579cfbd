import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap double before a full collection; called once, before there is much in it. The
 * bodies of uploads are buffers outside of the heap, and V8 reacts to every dozen megabytes of them
 * by marking all live objects, which takes a fifth of the processor time of an upload and frees
 * little (docs/adr/0025-memory-is-bounded-not-returned.md).
 */
export function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
