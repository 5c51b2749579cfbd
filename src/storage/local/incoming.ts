import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { countAndHash } from '../count-and-hash.ts'
import type { GiveBack } from '../give-back.ts'
import type { PutOptions, StoredObject } from '../object-store.ts'

const SEPARATOR = '~'
const BLOCK_BYTES = 512 * 1024
const FLUSHED_AT_ONCE_BYTES = 32 * 1024 * 1024
// For what another machine left in a shared folder: we cannot ask whether its process lives.
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** A name under `incoming` that tells who is writing there. */
export function incomingPath(folder: string): string {
  return join(folder, [...thisProcess(), randomUUID()].join(SEPARATOR))
}

function thisProcess(): [host: string, pid: string, startedAt: string] {
  const host = hostname().replace(/[^A-Za-z0-9.-]/g, '_')
  return [host, String(process.pid), String(Math.round(performance.timeOrigin))]
}

/**
 * Writes the stream to a new file under `incoming`, flushed to disk, and lets `place` move it away.
 * Whatever happens, nothing stays behind under `incoming`.
 */
export async function receive<T>(
  folder: string,
  source: Readable,
  options: PutOptions,
  place: (path: string, totals: StoredObject) => Promise<T>,
): Promise<T> {
  const path = incomingPath(folder)
  const { signal, giveBack } = options
  try {
    const file = await open(path, 'wx')
    const counted = countAndHash(source, options)
    try {
      await writeInBlocks(counted, file, giveBack)
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
 * What a socket gives is small, and each write wakes a thread: that would cost more than writing. The
 * disk is told to keep what it has all along, or it would have to keep everything at the end.
 */
async function writeInBlocks(
  source: AsyncIterable<Buffer>,
  file: FileHandle,
  giveBack?: GiveBack,
): Promise<void> {
  const block = Buffer.from(mappedMemory(BLOCK_BYTES))
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
    giveBack?.(chunk)
    if (unflushed < FLUSHED_AT_ONCE_BYTES) continue
    await flushing
    flushing = file.datasync()
    // Whoever waits for it learns how it ended.
    flushing.catch(() => undefined)
    unflushed = 0
  }
  await file.writeFile(block.subarray(0, used))
  await flushing
  await file.sync()
}

/**
 * Memory that could be resized is mapped by V8 itself and goes back to the system at once. Malloc's
 * would stay: the first large block that is freed makes it keep the next ones of that size.
 */
const mappedMemory = (bytes: number) => new ArrayBuffer(bytes, { maxByteLength: bytes })

/** Removes what processes that are gone were writing when they ended. */
export async function sweepIncoming(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (await isAbandoned(path, name)) await rm(path, { recursive: true, force: true })
  }
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  const [host, pid, startedAt] = name.split(SEPARATOR)
  const [ourHost, ourPid, ourStart] = thisProcess()
  if (host === ourHost && pid === ourPid) return startedAt !== ourStart
  if (host === ourHost && !isAlive(Number(pid))) return true
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return entry !== null && Date.now() - entry.mtimeMs > ABANDONED_AFTER_MS
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
