import { cellMessages } from '../cells/cell-messages.ts'
import { fileMessages } from '../core/file-messages.ts'
import type { Format } from '../core/format.ts'
import type { Messages } from '../core/message.ts'
import { placeMessages } from '../core/place-messages.ts'
import type { Registry } from '../core/registry.ts'
import { dateMessages } from '../dates/date-messages.ts'
import { headerMessages } from '../headers/header-messages.ts'
import { packingMessages } from '../input/flows/packing-messages.ts'
import { inputTextMessages } from '../input/text/messages.ts'
import { mappingMessages } from '../mapping/mapping-messages.ts'
import { outlineMessages } from '../outline/messages.ts'
import { flawMessages } from '../rules/flaw-messages.ts'
import { notationMessages } from '../rules/notation-messages.ts'
import { formatMessages, ruleMessages } from '../rules/rule-messages.ts'
import { ruleWords } from '../rules/rule-words.ts'
import { sinkMessages } from '../sinks/sink-messages.ts'
import { streamMessages } from '../sinks/stream-messages.ts'
import { overrideMessages } from '../transforms/override-messages.ts'
import { foreignMessages } from './foreign-messages.ts'
import { refusalMessages } from './refusal-messages.ts'
import { remedyMessages } from './remedy-messages.ts'
import { warningMessages } from './warning-messages.ts'
import { jsonTextMessages } from '../json/messages.ts'
import { jsonSyntaxMessages } from '../readers/json/syntax-messages.ts'
import { recordMessages } from '../readers/records/messages.ts'
import { repairMessages } from './repair-messages.ts'
import { markMessages } from '../workbooks/mark-messages.ts'

/** The engine's messages that are independent of the format; each room defines its own. */
const MESSAGES: readonly Messages[] = [
  cellMessages,
  dateMessages,
  fileMessages,
  flawMessages,
  foreignMessages,
  formatMessages,
  headerMessages,
  inputTextMessages,
  jsonSyntaxMessages,
  jsonTextMessages,
  mappingMessages,
  markMessages,
  outlineMessages,
  overrideMessages,
  packingMessages,
  placeMessages,
  recordMessages,
  refusalMessages,
  remedyMessages,
  repairMessages,
  notationMessages,
  ruleMessages,
  ruleWords,
  sinkMessages,
  streamMessages,
  warningMessages,
]

/** All messages of the engine with these formats, which may share some. */
export const engineMessages = (formats: Registry<Format>): readonly Messages[] => [
  ...MESSAGES,
  ...new Set([...formats].flatMap(({ messages = [] }) => messages)),
]
