import { cellMessages } from '../cells/cell-messages.ts'
import type { Format } from '../core/format.ts'
import type { Messages } from '../core/message.ts'
import type { Registry } from '../core/registry.ts'
import { inputTextMessages } from '../input/text/messages.ts'
import { outlineMessages } from '../outline/messages.ts'
import { warningMessages } from './warning-messages.ts'

/** What the engine says whatever the format; each room defines its own. */
const MESSAGES: readonly Messages[] = [
  cellMessages,
  inputTextMessages,
  outlineMessages,
  warningMessages,
]

/** All that the engine can say with these formats, of which several may say the same. */
export const engineMessages = (formats: Registry<Format>): readonly Messages[] => [
  ...MESSAGES,
  ...new Set([...formats].flatMap(({ messages }) => (messages ? [messages] : []))),
]
