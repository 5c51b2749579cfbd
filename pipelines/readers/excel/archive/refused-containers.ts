import { EngineError } from '../../../core/errors.ts'

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

function refused(message: string): EngineError {
  return new EngineError(message, { kind: 'format' })
}
