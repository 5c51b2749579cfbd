import { EngineError } from '../../core/errors.ts'
import type { ArchiveWording } from '../../core/input.ts'

export function damagedArchive(
  { noun, cure }: ArchiveWording,
  reason: string,
  cause?: unknown,
): EngineError {
  return new EngineError(
    `The ${noun} is truncated or damaged (${reason}). ${cure}`,
    { kind: 'structure' },
    { cause },
  )
}

/** Whole, but packed in a way that few programs know. */
export function unknownMethod(
  { noun, cure }: ArchiveWording,
  file: string,
  method: number,
): EngineError {
  return new EngineError(
    `The ${noun} packs ${file} in an unusual way (method ${method}), which is not supported. ${cure}`,
    { kind: 'format' },
  )
}

export const ZIP_WORDING: ArchiveWording = {
  noun: 'zip archive',
  cure: 'Send it again, or unpack it and send the file inside.',
  encrypted: () =>
    new EngineError(
      'The zip archive is protected by a password: unpack it and send the file inside.',
      { kind: 'format' },
    ),
}

/** For what is an archive only on the inside: a workbook, say. */
export const DOCUMENT_WORDING: ArchiveWording = {
  ...ZIP_WORDING,
  noun: 'file',
  cure: 'Send it again, or open it in the program it comes from and save it anew.',
}
