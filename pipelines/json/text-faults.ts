import type { Message } from '../core/message.ts'
import { jsonTextMessages } from './messages.ts'

/** What a string may hold that no text of a database can. */
export type TextFault = 'nul' | 'lone-surrogate'

/** The same words in every reader. */
export const TEXT_FAULT_MESSAGES: Readonly<Record<TextFault, () => Message>> = {
  nul: jsonTextMessages.nul,
  'lone-surrogate': jsonTextMessages.loneSurrogate,
}
