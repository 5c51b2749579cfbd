import { EngineError } from '../../../core/errors.ts'

const CURE = 'Open it in a spreadsheet program, repair it and save it again as .xlsx.'

export function damagedWorkbook(reason: string, cause?: unknown): EngineError {
  return new EngineError(
    `The old Excel workbook (.xls) is truncated or damaged (${reason}). ${CURE}`,
    { kind: 'structure' },
    { cause },
  )
}

export function refusedWorkbook(message: string): EngineError {
  return new EngineError(message, { kind: 'format' })
}

export function withPassword(): EngineError {
  return refusedWorkbook(
    'The workbook is protected by a password. Open it in Excel, remove the password (File > Info > Protect Workbook > Encrypt with Password) and save it again.',
  )
}
