import { EngineError } from '../../core/errors.ts'
import type { Message } from '../../core/message.ts'
import { recordMessages } from './record-messages.ts'

type Values = Readonly<Record<string, string & number & Message>>

/** The scanner speaks of workbooks, whose parts it was written for; here the file itself is XML. */
const OWN_WORDS: Readonly<Record<string, (values: Values) => Message>> = {
  'xml.damaged': ({ offset, fault }) => recordMessages.broken({ offset: offset!, fault: fault! }),
  'xml.documentType': () => recordMessages.documentType(),
  'xml.reference': ({ reference }) => recordMessages.reference({ reference: reference! }),
  'xml.notDecodable': ({ found }) => recordMessages.notDecodable({ found: found! }),
  'xml.longTag': () => recordMessages.tooLarge(),
  'xml.nested': () => recordMessages.tooLarge(),
}

export function inOwnWords(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const words = OWN_WORDS[error.text.code]
  if (words === undefined) return error
  return new EngineError(words(error.text.values as Values), error.problem, { cause: error })
}
