import { read } from 'node:fs'
import { promisify } from 'node:util'

import { fromFdPromise, type Entry, type ZipFile } from 'yauzl'

import { EngineError } from '../../../core/errors.ts'
import type { EngineLimits } from '../../../core/limits.ts'
import type { CountedFlow } from '../../../input/byte-flow.ts'
import { closeFd } from './local-file.ts'
import { isOle2, ole2DirectoryOffset, refusedArchive, refusedOle2 } from './refused-containers.ts'
import { readEntry } from './read-entry.ts'

const readFd = promisify(read)

/** Every zip that holds anything begins so. */
const ZIP_MARK = Buffer.from('PK\x03\x04', 'latin1')

export interface Archive {
  /** Size of the archive itself. */
  readonly size: number
  has(part: string): boolean
  /** The part's bytes, inflated, checked and bounded; null when there is no such part. */
  open(part: string): Promise<CountedFlow | null>
  close(): void
}

/** Opens the zip on a descriptor that becomes the archive's own. */
export async function openArchive(
  fd: number,
  limits: EngineLimits,
  signal: AbortSignal,
): Promise<Archive> {
  const zip = await openZip(fd)
  try {
    if (zip.entryCount > limits.archiveEntries) {
      throw new EngineError(
        `The workbook holds ${zip.entryCount} files; at most ${limits.archiveEntries} are allowed.`,
        { kind: 'limit', limit: 'archiveEntries' },
      )
    }
    const entries = await readDirectory(zip, signal)
    const refusal = entries.has('xl/workbook.xml')
      ? null
      : refusedArchive((entry) => entries.has(entry))
    if (refusal !== null) throw refusal
    return {
      size: zip.fileSize,
      has: (part) => entries.has(partKey(part)),
      async open(part) {
        const found = entries.get(partKey(part))
        if (found === undefined) return null
        if (found === 'twice') throw standsTwice(part)
        return await readEntry(zip, found, limits)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Programs differ on which of two entries of one name counts, so such a part is not read at all. */
type Found = Entry | 'twice'

async function readDirectory(zip: ZipFile, signal: AbortSignal): Promise<Map<string, Found>> {
  const entries = new Map<string, Found>()
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
      const key = partKey(entry.fileName)
      entries.set(key, entries.has(key) ? 'twice' : entry)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw notAnArchive(error)
  }
  return entries
}

/** Part names ignore case. */
function partKey(name: string): string {
  return name.toLowerCase()
}

async function refuseOtherFiles(fd: number): Promise<void> {
  const head = await readAt(fd, 0, 4096)
  if (head.length === 0) throw new EngineError('The file is empty.', { kind: 'empty' })
  if (head.subarray(0, ZIP_MARK.length).equals(ZIP_MARK)) return
  if (!isOle2(head)) {
    throw new EngineError('This is not an Excel workbook. Send a workbook saved as .xlsx.', {
      kind: 'format',
    })
  }
  const directory = await readAt(fd, ole2DirectoryOffset(head), 8192)
  throw refusedOle2(Buffer.concat([head, directory]))
}

async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await readFd(fd, Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function openZip(fd: number): Promise<ZipFile> {
  try {
    await refuseOtherFiles(fd)
    return await fromFdPromise(fd, { lazyEntries: true, autoClose: false })
  } catch (error) {
    await closeFd(fd)
    throw error instanceof EngineError ? error : notAnArchive(error)
  }
}

function notAnArchive(cause: unknown): EngineError {
  return new EngineError(
    'The workbook is truncated or damaged: its archive cannot be opened. Send the file again, or open it in a spreadsheet program and save it again as .xlsx.',
    { kind: 'structure' },
    { cause },
  )
}

function standsTwice(part: string): EngineError {
  return new EngineError(
    `The workbook is damaged: it holds ${part} twice. Open it in a spreadsheet program and save it again as .xlsx.`,
    { kind: 'structure' },
  )
}
