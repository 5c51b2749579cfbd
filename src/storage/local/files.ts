import { randomUUID } from 'node:crypto'
import { join, dirname } from 'node:path'
import { mkdir, open, rename, type FileHandle, readdir, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'

import { StorageError, type StorageErrorKind } from '../storage-error.ts'
import { unlessGone } from '../../errors/system-codes.ts'
import { countAndHash } from '../streams.ts'
import type { PutOptions, StoredObject } from '../object-store.ts'

const NOBODY = 'nobody'
const OWNER_ENDS = '~'

/** The number of the process that writes the file; null if it has none. */
function ownerOf(incomingName: string): number | null {
  const [owner] = incomingName.split(OWNER_ENDS)
  return /^\d{1,9}$/.test(owner!) ? Number(owner) : null
}

/**
 * Where things lie below the store's folder:
 *
 *     stored/<bucket>/…   objects, at paths that `objectPath` makes of their keys
 *     uploads/<id>/       direct uploads under way: `upload.json` and one file per part
 *     incoming/           what is being written, before a rename puts it into its place: `<process>~<id>`
 */
export function layoutBelow(folder: string, processId: () => number | null = () => null) {
  const bucketFolder = (bucket: string) => join(folder, 'stored', bucket)
  return {
    incoming: join(folder, 'incoming'),
    uploads: join(folder, 'uploads'),
    bucketFolder,
    objectPath: (bucket: string, key: string) => join(bucketFolder(bucket), ...pathOfKey(key)),
    /** A new name under `incoming` that contains the number of the writing process. */
    incomingPath: () =>
      join(folder, 'incoming', `${processId() ?? NOBODY}${OWNER_ENDS}${randomUUID()}`),
  }
}

export type StoreLayout = ReturnType<typeof layoutBelow>

// File systems limit names to 255 bytes; an escape takes at most three characters.
const MAX_NAME = 200
const OBJECT = '.o'
const SEGMENT = '.s'
const CONTINUED = '.c'

/**
 * The folders and the file that stand for a key. Only a-z, 0-9, `_` and `-` stand for themselves, so
 * nothing can climb out, collide on a file system that ignores case, or be a name with a meaning.
 * Endings tell a segment before a slash from an object of the same name and from a cut long name.
 */
export function pathOfKey(key: string): string[] {
  const segments = key.split('/').map(escapeSegment)
  return segments.flatMap((segment, index) => {
    const ending = index === segments.length - 1 ? OBJECT : SEGMENT
    const names: string[] = []
    let rest = segment
    for (; rest.length > MAX_NAME; rest = rest.slice(MAX_NAME)) {
      names.push(rest.slice(0, MAX_NAME) + CONTINUED)
    }
    return [...names, rest + ending]
  })
}

type EntryMeaning =
  | { readonly kind: 'object'; readonly text: string }
  | { readonly kind: 'folder'; readonly text: string }

/** What a name adds to the escaped key of its folder; null: the name was not made by this store. */
export function meaningOf(name: string): EntryMeaning | null {
  const text = name.slice(0, -2)
  if (name.endsWith(OBJECT)) return { kind: 'object', text }
  if (name.endsWith(SEGMENT)) return { kind: 'folder', text: `${text}/` }
  if (name.endsWith(CONTINUED)) return { kind: 'folder', text }
  return null
}

export const keyOfEscaped = (escaped: string): string => decodeURIComponent(escaped)

export const escapeKey = (key: string): string => key.split('/').map(escapeSegment).join('/')

function escapeSegment(segment: string): string {
  return Buffer.from(segment)
    .toString('latin1')
    .replace(/[^a-z0-9_-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** A rename or an unlink survives a power cut only once its folder is flushed. */
export async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its journal keeps the order.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the folder and those above it, and flushes every one that got a new entry. */
export async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (firstMade === undefined) return
  for (let made = folder; ; made = dirname(made)) {
    await flushFolder(dirname(made))
    if (made === firstMade) return
  }
}

/** Moves what is at `from` into its place, completely or not at all. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await flushFolder(dirname(to))
}

const KINDS: Readonly<Record<string, StorageErrorKind>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  ENAMETOOLONG: 'invalid',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
}

const MESSAGES: Readonly<Record<StorageErrorKind, string>> = {
  'not-found': 'There is no such object',
  range: 'The range begins past the end of the object',
  invalid: 'The key is too long for the file system',
  full: 'The object storage has no space left',
  unavailable: 'The object storage folder cannot be used',
}

/** File system errors contain paths, so only their kind is passed on; other errors pass unchanged. */
export function translateFileError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  const isFileError = error instanceof Error && 'syscall' in error && code !== undefined
  if (!isFileError) return error
  const kind = (Object.hasOwn(KINDS, code) && KINDS[code]) || 'unavailable'
  return new StorageError(kind, MESSAGES[kind], { cause: error })
}

export async function withFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translateFileError(error)
  }
}

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
