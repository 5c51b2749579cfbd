import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { unlessGone } from '../../errors/system-codes.ts'
import { countAndHash } from '../streams.ts'
import type { PutOptions, StoredObject } from '../object-store.ts'
import { ownerOf } from './files.ts'

const BLOCK_BYTES = 512 * 1024
const FLUSHED_AT_ONCE_BYTES = 32 * 1024 * 1024
/**
 * For files of commands, which are not processes of the service: whether those still run cannot be
 * found out.
 */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Writes the stream to a new file under `incoming`, flushed to disk, and lets `place` move it
 * away. Whatever happens, nothing is left under `incoming`.
 */
export async function receive<T>(
  path: string,
  source: Readable,
  options: PutOptions,
  place: (path: string, totals: StoredObject) => Promise<T>,
): Promise<T> {
  const { signal } = options
  try {
    const file = await open(path, 'wx', 0o600)
    const counted = countAndHash(source, options)
    try {
      await writeInBlocks(counted, file)
    } finally {
      await file.close()
    }
    signal?.throwIfAborted()
    return await place(path, counted.totals())
  } catch (error) {
    source.destroy()
    signal?.throwIfAborted()
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * A socket delivers small pieces, and each write wakes a thread, which would cost more than the
 * writing. Flushing happens along the way, since otherwise everything would have to be flushed at
 * the end.
 */
async function writeInBlocks(source: AsyncIterable<Buffer>, file: FileHandle): Promise<void> {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let used = 0
  let unflushed = 0
  let flushing = Promise.resolve()
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.length;) {
      const copied = chunk.copy(block, used, taken)
      taken += copied
      used += copied
      if (used < BLOCK_BYTES) continue
      await file.writeFile(block)
      used = 0
      unflushed += BLOCK_BYTES
    }
    if (unflushed < FLUSHED_AT_ONCE_BYTES) continue
    await flushing
    flushing = file.datasync()
    // The failure is reported where the promise is awaited.
    flushing.catch(() => undefined)
    unflushed = 0
  }
  await file.writeFile(block.subarray(0, used))
  await flushing
  await file.sync()
}

/** Removes what dead processes left half-written. */
export async function sweepIncoming(
  folder: string,
  deadAmong: (processIds: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<void> {
  const names = await readdir(folder)
  const owners = new Set(names.map(ownerOf).filter((owner) => owner !== null))
  const dead = owners.size === 0 ? new Set<number>() : await deadAmong([...owners])
  for (const name of names) {
    const owner = ownerOf(name)
    const path = join(folder, name)
    const isAbandoned = owner === null ? await isOld(path) : dead.has(owner)
    if (isAbandoned) await rm(path, { recursive: true, force: true })
  }
}

async function isOld(path: string): Promise<boolean> {
  const entry = await unlessGone(stat(path))
  return entry !== null && Date.now() - entry.mtimeMs > ABANDONED_AFTER_MS
}
