import { EngineError } from '../../../core/errors.ts'
import { excelMessages } from '../messages/excel-messages.ts'

export function refusedEncrypted(): EngineError {
  return new EngineError(excelMessages.password(), { kind: 'format' })
}

/** Why an archive that holds these entries is not a workbook this reader takes, or null. */
export function refusedArchive(holds: (entry: string) => boolean): EngineError | null {
  const found = REFUSED_ARCHIVES.find(({ entry }) => holds(entry))
  return found === undefined ? null : new EngineError(found.message(), { kind: 'format' })
}

const REFUSED_ARCHIVES = [
  { entry: 'xl/workbook.bin', message: excelMessages.binaryWorkbook },
  { entry: 'index/document.iwa', message: excelMessages.numbers },
  { entry: 'word/document.xml', message: excelMessages.wordDocument },
  { entry: 'ppt/presentation.xml', message: excelMessages.presentation },
] as const
