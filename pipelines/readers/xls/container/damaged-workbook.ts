import { EngineError } from '../../../core/errors.ts'
import type { Message } from '../../../core/message.ts'
import { excelMessages } from '../../excel/messages/excel-messages.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

export function damagedWorkbook(fault: Message): EngineError {
  return new EngineError(xlsMessages.damaged({ fault }), { kind: 'structure' })
}

export function refusedWorkbook(message: Message): EngineError {
  return new EngineError(message, { kind: 'format' })
}

export const withPassword = (): EngineError => refusedWorkbook(excelMessages.password())
