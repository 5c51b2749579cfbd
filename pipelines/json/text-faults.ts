import type { Message } from '../core/message.ts'
import { jsonTextMessages } from './messages.ts'

/** What a JSON string may contain that a database text cannot. */
export type TextFault = 'nul' | 'lone-surrogate'

/** The same wording in every reader. */
export const TEXT_FAULT_MESSAGES: Readonly<Record<TextFault, () => Message>> = {
  nul: jsonTextMessages.nul,
  'lone-surrogate': jsonTextMessages.loneSurrogate,
}
