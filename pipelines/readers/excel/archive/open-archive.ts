import { read } from 'node:fs'
import { promisify } from 'node:util'

import { EngineError } from '../../../core/errors.ts'
import type { EngineLimits } from '../../../core/limits.ts'
import { closeFd } from '../../../input/archive/local-file.ts'
import { isZip, openZip, type ZipEntry } from '../../../input/archive/open-zip.ts'
import type { ArchiveWording } from '../../../input/archive/wording.ts'
import type { CountedFlow } from '../../../input/byte-flow.ts'
import { isOle2 } from '../../../input/ole2.ts'
import {
  ole2DirectoryOffset,
  refusedArchive,
  refusedEncrypted,
  refusedOle2,
} from './refused-containers.ts'

const readFd = promisify(read)

export const WORKBOOK_WORDING: ArchiveWording = {
  noun: 'workbook',
  cure: 'Send the file again, or open it in a spreadsheet program and save it again as .xlsx.',
  encrypted: refusedEncrypted,
}

/** A part that is being read, and its name, for messages. */
export interface PartFlow extends CountedFlow {
  readonly part: string
}

export interface Archive {
  /** Size of the archive itself. */
  readonly size: number
  has(part: string): boolean
  /** The part's bytes, inflated, checked and bounded; null when there is no such part. */
  open(part: string): Promise<PartFlow | null>
  close(): void
}

/** Opens the workbook on a descriptor that becomes the archive's own. */
export async function openArchive(
  fd: number,
  limits: EngineLimits,
  signal: AbortSignal,
): Promise<Archive> {
  try {
    await refuseOtherFiles(fd)
  } catch (error) {
    await closeFd(fd)
    throw error
  }
  const zip = await openZip(fd, { limits, signal, wording: WORKBOOK_WORDING })
  const parts = partsOf(zip.entries)
  const refusal = parts.has('xl/workbook.xml') ? null : refusedArchive((part) => parts.has(part))
  if (refusal !== null) {
    zip.close()
    throw refusal
  }
  return {
    size: zip.size,
    has: (part) => parts.has(partKey(part)),
    async open(part) {
      const found = parts.get(partKey(part))
      if (found === undefined) return null
      if (found === 'twice') throw standsTwice(part)
      return Object.assign(await zip.open(found), { part: found.fileName })
    },
    close: () => zip.close(),
  }
}

/** Programs differ on which of two entries of one name counts, so such a part is not read at all. */
type Found = ZipEntry | 'twice'

function partsOf(entries: readonly ZipEntry[]): ReadonlyMap<string, Found> {
  const parts = new Map<string, Found>()
  for (const entry of entries) {
    const key = partKey(entry.fileName)
    parts.set(key, parts.has(key) ? 'twice' : entry)
  }
  return parts
}

/** Part names ignore case. */
function partKey(name: string): string {
  return name.toLowerCase()
}

async function refuseOtherFiles(fd: number): Promise<void> {
  const head = await readAt(fd, 0, 4096)
  if (head.length === 0) throw new EngineError('The file is empty.', { kind: 'empty' })
  if (isZip(head)) return
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

function standsTwice(part: string): EngineError {
  return new EngineError(
    `The workbook is damaged: it holds ${part} twice. Open it in a spreadsheet program and save it again as .xlsx.`,
    { kind: 'structure' },
  )
}
