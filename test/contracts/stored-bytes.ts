import { hash } from 'node:crypto'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import type { ObjectStore } from '../../src/storage/object-store.ts'
import { StorageError, type StorageErrorKind } from '../../src/storage/storage-error.ts'
import { failure } from '../support/failure.ts'

/** The store that the suite is run on at the moment, and where this test may write in it. */
export type StoreContext = () => {
  readonly store: ObjectStore
  readonly bucket: string
  readonly prefix: string
}

/** By which the clock of a server may be wrong. */
export const SKEW_MS = 60_000

/** Bytes that differ everywhere, so that a lost, doubled or swapped piece shows. */
export function someBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = 0x9e3779b9
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}

export function streamOf(bytes: Buffer, chunkBytes = 64 * 1024): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return Readable.from(chunks(), { objectMode: false })
}

export const sha256 = (bytes: Buffer) => hash('sha256', bytes)

export async function expectKind(work: Promise<unknown>, kind: StorageErrorKind): Promise<void> {
  const error = await failure(work)
  expect(error).to.be.instanceOf(StorageError)
  expect((error as StorageError).kind).to.equal(kind)
}

export async function keysBelow(
  store: ObjectStore,
  bucket: string,
  prefix: string,
): Promise<string[]> {
  const keys: string[] = []
  for await (const page of store.list(bucket, prefix)) keys.push(...page.map(({ key }) => key))
  return keys.toSorted()
}
