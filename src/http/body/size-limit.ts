import type { IncomingMessage } from 'node:http'

import { PayloadTooLargeException } from '../../errors/index.ts'
import { bodyMessages } from './body-messages.ts'

/** How much a form may hold besides its file. */
const FORM_ALLOWANCE_BYTES = 1024 * 1024

/** A client that announces too much is refused before it sends. */
export function refuseTooLong(
  { headers }: IncomingMessage,
  maxFileBytes: number,
  sentAs: 'form' | 'raw',
): void {
  const besides = sentAs === 'form' ? FORM_ALLOWANCE_BYTES : 0
  if (Number(headers['content-length'] ?? 0) > maxFileBytes + besides) throw tooLarge(maxFileBytes)
}

export const tooLarge = (maxFileBytes: number) =>
  new PayloadTooLargeException(bodyMessages.fileTooLarge({ most: maxFileBytes }))
