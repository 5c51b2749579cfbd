import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { ShareExceededException } from '../../../errors/index.ts'
import { ACTIONS } from '../../../resources/audit-entry.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { exampleAdmin } from '../../presenters/present-actor.ts'
import {
  AUDIT_CSV_HEADER,
  auditCsvLine,
  auditEntrySchema,
  EXAMPLE_AUDIT_CSV,
  presentAuditEntry,
} from '../../presenters/present-audit-entry.ts'
import {
  enterpriseIdField,
  listOf,
  pageQuery,
  presentPage,
  strictObject,
  timestamp,
  uuid,
} from '../../schemas.ts'

const instant = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ ...timestamp(), description }))

export const listAudit = defineRoute(
  {
    method: 'get',
    path: '/audit',
    access: 'admin',
    tag: 'people',
    summary: 'Who did what, newest first, or all of it as CSV',
    description:
      'An admin sees what was done to the things of their enterprise, whoever did it; a super-admin all. ' +
      'Names of fields are told, values never. Each entry has the hash of the one before it in its own: ' +
      '`cli audit verify` finds what was changed, removed or inserted. Entries older than `AUDIT_KEPT` ' +
      'are in the object storage.',
    query: strictObject({
      ...pageQuery(20),
      from: instant('Not before this instant'),
      until: instant('Before this instant'),
      action: Type.Optional(Type.Enum(Object.keys(ACTIONS))),
      thing: Type.Optional(uuid('Uuid of the thing', exampleAdmin.uuid)),
      actor: Type.Optional(uuid('Uuid of whoever did it', exampleAdmin.uuid)),
      enterpriseId: enterpriseIdField,
      format: Type.Enum(['json', 'csv'], { default: 'json' }),
    }),
    responses: {
      200: {
        description: 'A page of entries, or all of them as a file',
        schema: listOf('AuditList', auditEntrySchema),
        files: { 'text/csv': EXAMPLE_AUDIT_CSV },
        headers: ATTACHMENT,
      },
    },
    problems: [ShareExceededException],
  },
  async ({ actor, query, signal }, { audit }) => {
    const { format, ...filter } = query
    if (format === 'json') {
      return presentPage(await audit.list(actor, filter, signal), filter, presentAuditEntry)
    }
    const lines = async function* () {
      yield AUDIT_CSV_HEADER
      for await (const batch of audit.readAll(actor, filter, signal)) {
        yield batch.map(auditCsvLine).join('')
      }
    }
    return new Reply(200, Readable.from(lines()), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachmentDisposition('audit.csv'),
    })
  },
)
