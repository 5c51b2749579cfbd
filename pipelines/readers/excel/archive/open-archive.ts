import { EngineError } from '../../../core/errors.ts'
import { fileMessages } from '../../../core/file-messages.ts'
import type { ArchiveEntry, ArchiveWording, CountedFlow, Input } from '../../../core/input.ts'
import { refusedArchive, refusedEncrypted } from './refused-containers.ts'
import { excelMessages } from '../messages/excel-messages.ts'

const WORKBOOK_WORDING: ArchiveWording = {
  noun: excelMessages.workbook(),
  cure: excelMessages.cure(),
  encrypted: refusedEncrypted,
}

/** A part that is being read, and its name, for messages. */
export interface PartFlow extends CountedFlow {
  readonly part: string
}

export interface WorkbookArchive {
  /** How many bytes were sent for it: the total that progress counts up to. */
  readonly sourceBytes: number
  has(part: string): boolean
  /** The bytes of the part: unpacked, checked and limited; null if there is no such part. */
  open(part: string): Promise<PartFlow | null>
}

/** The parts of a workbook. Anything that is not a readable workbook is refused, naming what it is. */
export async function openArchive(input: Input): Promise<WorkbookArchive> {
  const { archive } = input
  if (archive === null) throw refusedFile(input)
  const parts = partsOf(archive.entries)
  const refusal = parts.has('xl/workbook.xml') ? null : refusedArchive((part) => parts.has(part))
  if (refusal !== null) throw refusal
  return {
    sourceBytes: archive.sourceBytes,
    has: (part) => parts.has(partKey(part)),
    async open(part) {
      const found = parts.get(partKey(part))
      if (found === undefined) return null
      if (found === 'twice') throw standsTwice(part)
      return Object.assign(await found.open(WORKBOOK_WORDING), { part: found.name })
    },
  }
}

/** Programs disagree on which of two entries of the same name counts, so such a part is not read at all. */
type Found = ArchiveEntry | 'twice'

function partsOf(entries: readonly ArchiveEntry[]): ReadonlyMap<string, Found> {
  const parts = new Map<string, Found>()
  for (const entry of entries) {
    const key = partKey(entry.name)
    parts.set(key, parts.has(key) ? 'twice' : entry)
  }
  return parts
}

/** Part names ignore case. */
function partKey(name: string): string {
  return name.toLowerCase()
}

function refusedFile({ head }: Input): EngineError {
  if (head.bytes.length === 0) return new EngineError(fileMessages.empty(), { kind: 'empty' })
  return new EngineError(excelMessages.notExcel(), { kind: 'format' })
}

function standsTwice(part: string): EngineError {
  const fault = excelMessages.partTwice({ part })
  return new EngineError(excelMessages.damaged({ fault }), { kind: 'structure' })
}
