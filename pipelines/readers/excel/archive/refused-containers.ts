import { EngineError } from '../../../core/errors.ts'

/** Where the names of the streams stand: read from here to tell the kinds of container apart. */
export function ole2DirectoryOffset(head: Buffer): number {
  if (head.length < 52) return 0
  const sectorBytes = head.readUInt16LE(30) === 12 ? 4096 : 512
  return (head.readUInt32LE(48) + 1) * sectorBytes
}

/** `bytes`: any part of the container that holds its directory, the whole of a small one. */
export function refusedOle2(bytes: Buffer): EngineError {
  if (holdsName(bytes, 'EncryptedPackage')) return refusedEncrypted()
  if (holdsName(bytes, 'Workbook') || holdsName(bytes, 'Book')) {
    return refused(
      'This is an old Excel workbook (.xls), which is not supported. Open it in Excel or LibreOffice and save it as .xlsx.',
    )
  }
  return refused(
    'This is an old Office file (.xls) or a workbook protected by a password. Save it without a password as .xlsx.',
  )
}

export function refusedEncrypted(): EngineError {
  return refused(
    'The workbook is protected by a password. Open it in Excel, remove the password (File > Info > Protect Workbook > Encrypt with Password) and save it again.',
  )
}

/** Why an archive that holds these entries is not a workbook this reader takes, or null. */
export function refusedArchive(holds: (entry: string) => boolean): EngineError | null {
  const found = REFUSED_ARCHIVES.find(({ entry }) => holds(entry))
  return found === undefined ? null : refused(found.message)
}

const REFUSED_ARCHIVES = [
  {
    entry: 'xl/workbook.bin',
    message:
      'This is a binary Excel workbook (.xlsb), which is not supported. Open it in Excel and save it as .xlsx.',
  },
  {
    entry: 'content.xml',
    message:
      'This is an OpenDocument file (.ods), which is not supported. Open it in LibreOffice and save it as .xlsx.',
  },
  {
    entry: 'index/document.iwa',
    message:
      'This is an Apple Numbers document, which is not supported. Open it in Numbers and export it as .xlsx.',
  },
  {
    entry: 'word/document.xml',
    message: 'This is a Word document, not a workbook. Copy its table into a workbook (.xlsx).',
  },
  {
    entry: 'ppt/presentation.xml',
    message: 'This is a presentation, not a workbook. Copy its table into a workbook (.xlsx).',
  },
] as const

function holdsName(bytes: Buffer, name: string): boolean {
  return bytes.includes(Buffer.from(`${name}\0`, 'utf16le'))
}

function refused(message: string): EngineError {
  return new EngineError(message, { kind: 'format' })
}
