import type { Route } from '../define-route.ts'
import { writeOpenApi } from './write-openapi.ts'
import { Catalogue } from '../../../pipelines/index.ts'

const DESCRIPTION = `Takes messy files and forms and turns them into typed PostgreSQL tables, safely and at the speed of the database.

**Signing in.** \`POST /auth/login\` gives a token; send it in \`X-App-Access-Token\` or \`Authorization: Bearer\`.

**Errors** are RFC 9457 problem documents with a stable \`code\`. What is out of scope is 404, as what is not there.

**One language an answer.** \`Accept-Language\` chooses French or English for \`title\`, \`detail\` and every other text; \`Content-Language\` tells which. Codes and field names never change. The examples here are in English.

**Every answer** carries \`X-Request-Id\`, the one that was sent or a new one. What GET answers as JSON carries an \`ETag\`; \`If-None-Match\` gives 304 while nothing has changed.

**Lists** take \`page\` and \`limit\` and tell \`total\`; the newest comes first.

**Long work** answers when it is done, or with \`Prefer: respond-async\` at once with a job: see \`GET /jobs/{uuid}\` and its events.

**Trying again** is safe with an \`Idempotency-Key\` on POST.`

const TAGS = {
  auth: 'Signing in, and who one is.',
  people: 'Users and enterprises, for super-admins.',
  connections: 'Access to forms applications, with keys that are never shown.',
  folders: 'A tree of folders for each enterprise.',
  documents: 'Files that people uploaded, and links to download them.',
  storage: 'The embedded storage: the far end of upload and download links.',
  workflows: 'Where a workflow takes its data from, and its runs.',
  sources: 'Files, forms and cards as typed tables: create, reload, read, export, correct.',
  shapes: 'What the files of a source look like, and which headers stand for its columns.',
  collections: 'Files of many senders in one table: who has sent, who is late, what waits.',
  deliveries: 'For whoever has the link of a collection: what is asked, and the way in.',
  jobs: 'Long work: progress, outcome, cancelling.',
  service: 'Health, metrics and this document.',
}

export function openApiDocument(routes: readonly Route[], version: string) {
  const document = writeOpenApi(routes, { version, description: DESCRIPTION, tags: TAGS })
  return Catalogue.empty.sayAll(document, 'en') as typeof document
}
