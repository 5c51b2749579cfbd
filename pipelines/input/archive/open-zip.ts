import type { Entry, ZipFile } from 'yauzl'

import { EngineError } from '../../core/errors.ts'
import type { ArchiveEntry, ArchiveWording } from '../../core/input.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { closeFd } from '../flows/descriptors.ts'
import { damagedArchive } from './wording.ts'
import { packingMessages } from '../flows/packing-messages.ts'
import { later } from '../../core/later.ts'

const entryReader = later(() => import('./read-entry.ts'))
const yauzl = later(() => import('yauzl'))
const cutZip = later(() => import('./open-cut-zip.ts'))

export interface OpenZip {
  /** Size of the archive itself. */
  readonly size: number
  /** In the order of the archive's directory. */
  readonly entries: readonly ArchiveEntry[]
  close(): void
}

interface ZipContext {
  readonly limits: EngineLimits
  readonly signal: AbortSignal
  /** For errors in the directory, and in entries that are opened without a wording of their own. */
  readonly wording: ArchiveWording
}

const ZIP_MARKS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'].map((mark) =>
  Buffer.from(mark, 'latin1'),
)

/** A zip begins with an entry, with its end if it has no entries, or as one of several volumes. */
export function isZip(head: Buffer): boolean {
  return ZIP_MARKS.some((mark) => head.subarray(0, mark.length).equals(mark))
}

/** Reads the directory of the zip from a descriptor, which then belongs to the archive. */
export async function openZip(fd: number, context: ZipContext): Promise<OpenZip> {
  const { limits, wording } = context
  const zip = await openFile(fd, wording)
  try {
    if (zip.entryCount > limits.archiveEntries) {
      throw new EngineError(
        packingMessages.manyFiles({
          noun: wording.noun,
          files: zip.entryCount,
          most: limits.archiveEntries,
        }),
        { kind: 'limit', limit: 'archiveEntries' },
      )
    }
    const entries = await readDirectory(zip, context)
    return {
      size: zip.fileSize,
      entries: entries.map((entry) => ({
        name: entry.fileName,
        compressedBytes: entry.compressedSize,
        bytes: entry.uncompressedSize,
        async open(spoken = wording) {
          const { readEntry } = await entryReader()
          return readEntry(zip, entry, limits, spoken)
        },
        packed: {
          name: entry.fileName,
          method: entry.compressionMethod,
          crc: entry.crc32,
          compressedBytes: entry.compressedSize,
          bytes: entry.uncompressedSize,
          open: () => zip.openReadStreamPromise(entry, { decodeFileData: false }),
        },
      })),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function openFile(fd: number, wording: ArchiveWording): Promise<ZipFile> {
  // Loaded on first use, since most files are not archives.
  const { fromFdPromise } = await yauzl()
  try {
    return await fromFdPromise(fd, { lazyEntries: true, autoClose: false })
  } catch (error) {
    const { openCutZip } = await cutZip()
    const zip = await openCutZip(fd).catch(() => null)
    if (zip !== null) return zip
    await closeFd(fd)
    throw damagedArchive(wording, packingMessages.directory(), error)
  }
}

async function readDirectory(
  zip: ZipFile,
  { signal, wording }: ZipContext,
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
      entries.push(entry)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw damagedArchive(wording, packingMessages.directory(), error)
  }
  return entries
}
