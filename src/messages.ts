import {
  Catalogue,
  engineMessages,
  type Format,
  type Messages,
  type Registry,
} from '../pipelines/index.ts'
import { fieldMessages, PROBLEMS } from './errors/index.ts'
import { resourceMessages } from './http/routes/sources/resource-of.ts'
import { textMessages } from './http/text-formats.ts'
import { validationMessages } from './http/validation-messages.ts'

/** What the service says besides its engine; each room defines its own. */
const MESSAGES: readonly Messages[] = [
  ...PROBLEMS.map(({ messages }) => messages),
  fieldMessages,
  resourceMessages,
  textMessages,
  validationMessages,
]

/** All that can be said with these formats, so that what was stored can be said in any language. */
export const catalogueWith = (formats: Registry<Format>): Catalogue =>
  new Catalogue([...engineMessages(formats), ...MESSAGES])
