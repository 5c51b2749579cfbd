import {
  Catalogue,
  engineMessages,
  type Format,
  type Messages,
  type Registry,
} from '../pipelines/index.ts'
import { quotaMessages } from './domain/documents/upload-quota.ts'
import { readMessages } from './domain/sources/read-data.ts'
import { loadMessages } from './domain/loads/load-messages.ts'
import { tableMessages } from './domain/tables/table-messages.ts'
import { fieldMessages, PROBLEMS } from './errors/index.ts'
import { resourceMessages } from './http/routes/sources/resource-of.ts'
import { textMessages } from './http/text-formats.ts'
import { validationMessages } from './http/validation-messages.ts'
import { shareMessages } from './shares.ts'

/** What the service says besides its engine; each room defines its own. */
const MESSAGES: readonly Messages[] = [
  ...PROBLEMS.map(({ messages }) => messages),
  fieldMessages,
  loadMessages,
  quotaMessages,
  readMessages,
  resourceMessages,
  shareMessages,
  tableMessages,
  textMessages,
  validationMessages,
]

/** All that can be said with these formats, so that what was stored can be said in any language. */
export const catalogueWith = (formats: Registry<Format>): Catalogue =>
  new Catalogue([...engineMessages(formats), ...MESSAGES])
