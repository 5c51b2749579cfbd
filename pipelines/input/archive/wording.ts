import { EngineError } from '../../core/errors.ts'
import type { ArchiveWording } from '../../core/input.ts'
import type { Message } from '../../core/message.ts'
import { packingMessages } from '../flows/packing-messages.ts'

export function damagedArchive(
  { noun, cure }: ArchiveWording,
  reason: Message,
  cause?: unknown,
): EngineError {
  return new EngineError(
    packingMessages.damaged({ noun, reason, cure }),
    { kind: 'structure' },
    { cause },
  )
}

/** Intact, but compressed in a way that few programs support. */
export function unknownMethod(
  { noun, cure }: ArchiveWording,
  file: string,
  method: number,
): EngineError {
  return new EngineError(packingMessages.unusual({ noun, file, method, cure }), { kind: 'format' })
}

export const ZIP_WORDING: ArchiveWording = {
  noun: packingMessages.zipArchive(),
  cure: packingMessages.sendInside(),
  encrypted: () => new EngineError(packingMessages.password(), { kind: 'format' }),
}

/** For files that are archives only internally, such as a workbook. */
export const DOCUMENT_WORDING: ArchiveWording = {
  ...ZIP_WORDING,
  noun: packingMessages.file(),
  cure: packingMessages.saveAnew(),
}
