import {
  Catalogue,
  engineMessages,
  type Format,
  type Messages,
  type Registry,
} from '../pipelines/index.ts'
import { apiKeyMessages } from './security/api-key-messages.ts'
import { authMessages } from './domain/auth/auth-messages.ts'
import { baseUrlMessages, outboundMessages } from './security/outbound/outbound-messages.ts'
import { bodyMessages } from './http/body/body-messages.ts'
import { connectionMessages } from './domain/connections/connection-messages.ts'
import { connectorMessages } from './connectors/connector-messages.ts'
import { documentMessages } from './domain/documents/document-messages.ts'
import { folderMessages } from './domain/folders/folder-messages.ts'
import { jobMessages } from './jobs/job-messages.ts'
import { requestMessages } from './http/request-messages.ts'
import { serviceMessages } from './errors/service-messages.ts'
import { peopleMessages } from './domain/people/people-messages.ts'
import { collectionMessages } from './domain/collections/collection-messages.ts'
import { mailMessages } from './domain/collections/mails.ts'
import { collectionNoticeMessages } from './notifications/collection-notice.ts'
import { shapeMessages, shapePartMessages } from './domain/shapes/shape-messages.ts'
import { sourceMessages, changesMessages } from './domain/sources/source-messages.ts'
import { tokenMessages } from './security/token-messages.ts'
import { noticeMessages } from './notifications/folder-deletion-notice.ts'
import { documentsQuotaMessages } from './domain/documents/documents-quota.ts'
import { quotaMessages } from './domain/uploads/upload-quota.ts'
import { filterMessages } from './domain/sources/resolve-filters.ts'
import { pageMessages } from './stack/read/bounded-rows.ts'
import { loadMessages } from './stack/load-messages.ts'
import { tableMessages } from './stack/table/table-messages.ts'
import { fieldMessages, PROBLEMS } from './errors/index.ts'
import { resourceMessages } from './http/routes/sources/resource-of.ts'
import { textMessages } from './http/text-formats.ts'
import { validationMessages } from './http/validation-messages.ts'
import { shareMessages } from './shares.ts'
import { scheduleMessages } from './domain/schedules/schedule-messages.ts'
import { failureMessages } from './notifications/schedule-failure-notice.ts'
import { workflowMessages } from './domain/workflows/workflow-messages.ts'

/** What the service says besides its engine; each room defines its own. */
const MESSAGES: readonly Messages[] = [
  ...PROBLEMS.map(({ messages }) => messages),
  fieldMessages,
  noticeMessages,
  tokenMessages,
  collectionMessages,
  mailMessages,
  collectionNoticeMessages,
  shapeMessages,
  shapePartMessages,
  sourceMessages,
  changesMessages,
  scheduleMessages,
  failureMessages,
  workflowMessages,
  tableMessages,
  loadMessages,
  serviceMessages,
  requestMessages,
  outboundMessages,
  jobMessages,
  folderMessages,
  documentMessages,
  connectorMessages,
  connectionMessages,
  bodyMessages,
  baseUrlMessages,
  authMessages,
  apiKeyMessages,
  peopleMessages,
  documentsQuotaMessages,
  quotaMessages,
  pageMessages,
  filterMessages,
  resourceMessages,
  shareMessages,
  textMessages,
  validationMessages,
]

/** All that can be said with these formats, so that what was stored can be said in any language. */
export const catalogueWith = (formats: Registry<Format>): Catalogue =>
  new Catalogue([...engineMessages(formats), ...MESSAGES])
