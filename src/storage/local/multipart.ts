import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { hasCode, unlessGone } from '../../errors/system-codes.ts'
import {
  type CompletedPart,
  MIN_PART_BYTES,
  type MultipartUpload,
  type OpenUpload,
  type UploadedPart,
} from '../object-store.ts'
import { StorageError } from '../storage-error.ts'
import { flushFolder, moveIntoPlace, type StoreLayout, receive } from './files.ts'
import { factsOf } from './file-facts.ts'

const ABOUT = 'upload.json'
const PART = /^part-(\d{5})$/
const UPLOAD_ID = /^[0-9a-f-]{36}$/
const PAGE_SIZE = 100

const partName = (partNumber: number) => `part-${String(partNumber).padStart(5, '0')}`

interface Written {
  readonly signal?: AbortSignal
  readonly sizeBytes: number
}

export async function createMultipart(
  layout: StoreLayout,
  bucket: string,
  key: string,
): Promise<string> {
  const uploadId = randomUUID()
  const folder = layout.incomingPath()
  try {
    await mkdir(folder, { mode: 0o700 })
    const about = { bucket, key, startedAt: new Date().toISOString() }
    await writeFile(join(folder, ABOUT), JSON.stringify(about), { flush: true, mode: 0o600 })
    await rename(folder, join(layout.uploads, uploadId))
    await flushFolder(layout.uploads)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return uploadId
}

/** A part that comes again replaces the first. */
export async function writePart(
  layout: StoreLayout,
  upload: MultipartUpload,
  partNumber: number,
  source: Readable,
  options: Written,
): Promise<UploadedPart> {
  const place = async (path: string): Promise<UploadedPart> => {
    const folder = await folderOf(layout, upload)
    const target = join(folder, partName(partNumber))
    await rename(path, target)
    await flushFolder(folder)
    return partAt(target, partNumber)
  }
  // Checked before a byte is read, so that the sender can still be told.
  await folderOf(layout, upload)
  return receive(layout.incomingPath(), source, options, place)
}

export async function listParts(
  layout: StoreLayout,
  upload: MultipartUpload,
): Promise<UploadedPart[]> {
  const folder = await folderOf(layout, upload)
  const parts: UploadedPart[] = []
  for (const name of (await readdir(folder)).toSorted()) {
    const partNumber = PART.exec(name)?.[1]
    if (partNumber !== undefined) parts.push(await partAt(join(folder, name), Number(partNumber)))
  }
  return parts
}

export async function completeMultipart(
  layout: StoreLayout,
  upload: MultipartUpload,
  chosen: readonly CompletedPart[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await folderOf(layout, upload)
  const numbers = chosen.map((part) => part.partNumber).toSorted((a, b) => a - b)
  checkChoice(chosen, await listParts(layout, upload))

  async function* joined() {
    for (const partNumber of numbers) yield* createReadStream(join(folder, partName(partNumber)))
  }
  const target = layout.objectPath(upload.bucket, upload.key)
  const source = Readable.from(joined(), { objectMode: false })
  await receive(layout.incomingPath(), source, { ...(signal && { signal }) }, (path) =>
    moveIntoPlace(path, target),
  )
  await discard(layout, folder)
}

const refuse = (message: string) => new StorageError('invalid', message)

function checkChoice(chosen: readonly CompletedPart[], present: readonly UploadedPart[]): void {
  const byNumber = new Map(present.map((part) => [part.partNumber, part]))
  const last = Math.max(...chosen.map((part) => part.partNumber))
  for (const { partNumber, etag } of chosen) {
    const part = byNumber.get(partNumber)
    if (part?.etag !== etag) throw refuse(`Part ${partNumber} is not there, or is another one`)
    if (partNumber !== last && part.sizeBytes < MIN_PART_BYTES) {
      throw refuse(`Part ${partNumber} is smaller than ${MIN_PART_BYTES} bytes and not the last`)
    }
  }
}

export async function abortMultipart(layout: StoreLayout, upload: MultipartUpload): Promise<void> {
  await discard(layout, await folderOf(layout, upload))
}

export async function* listMultiparts(
  layout: StoreLayout,
  bucket: string,
): AsyncGenerator<OpenUpload[]> {
  let page: OpenUpload[] = []
  for (const uploadId of await readdir(layout.uploads)) {
    const upload = await readUpload(layout, uploadId)
    if (upload?.bucket === bucket) page.push(upload)
    if (page.length >= PAGE_SIZE) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

/** The rename removes it in one step; a part that arrives meanwhile finds no folder. */
async function discard(layout: StoreLayout, folder: string): Promise<void> {
  const aside = layout.incomingPath()
  try {
    await rename(folder, aside)
    await flushFolder(layout.uploads)
  } catch (error) {
    // Another completion or abort was faster.
    if (!hasCode(error, 'ENOENT')) throw error
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function folderOf(layout: StoreLayout, upload: MultipartUpload): Promise<string> {
  const found = await readUpload(layout, upload.uploadId)
  if (found?.bucket !== upload.bucket || found.key !== upload.key) {
    throw new StorageError('not-found', 'There is no such upload')
  }
  return join(layout.uploads, upload.uploadId)
}

async function readUpload(layout: StoreLayout, uploadId: string): Promise<OpenUpload | null> {
  if (!UPLOAD_ID.test(uploadId)) return null
  const text = await unlessGone(readFile(join(layout.uploads, uploadId, ABOUT), 'utf8'))
  if (text === null) return null
  const about = JSON.parse(text) as { bucket: string; key: string; startedAt: string }
  return { bucket: about.bucket, key: about.key, uploadId, startedAt: new Date(about.startedAt) }
}

async function partAt(path: string, partNumber: number): Promise<UploadedPart> {
  const { etag, sizeBytes } = factsOf(await stat(path, { bigint: true }))
  return { partNumber, etag, sizeBytes }
}
