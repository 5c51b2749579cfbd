import { type Static, Type } from 'typebox'

import type { SourceLoad } from '../../../domain/sources/sources.ts'
import { SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleCounts,
  exampleDialect,
  exampleDrift,
  exampleOptions,
  exampleReport,
} from '../../presenters/example-table.ts'
import { exampleAdmin } from '../../presenters/present-actor.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { exampleSource, sourcePath } from '../../presenters/present-source.ts'
import {
  listOf,
  named,
  nullable,
  pageQuery,
  presentPage,
  strictObject,
  timestamp,
  uuid,
} from '../../schemas.ts'

const columns = Type.Array(strictObject({ name: Type.String(), type: Type.String() }))

const driftSchema = named(
  'Drift',
  strictObject({
    added: columns,
    removed: columns,
    retyped: Type.Array(
      strictObject({ name: Type.String(), from: Type.String(), to: Type.String() }),
    ),
  }),
)

const shownLoad = strictObject({
  uuid: uuid(),
  kind: Type.Enum(['creation', 'reload', 'rejects']),
  mode: Type.Enum(['replace', 'append', 'upsert']),
  key: nullable(Type.String()),
  loadedBy: nullable(strictObject({ uuid: uuid(), name: Type.String() })),
  filename: nullable(Type.String()),
  sizeBytes: nullable(Type.Integer()),
  sha256: nullable(Type.String({ description: 'Of the bytes that were read' })),
  options: Type.Unknown(),
  dialect: Type.Unknown(),
  counts: strictObject({
    read: Type.Integer(),
    loaded: Type.Integer(),
    rejected: Type.Integer(),
    blank: Type.Integer(),
  }),
  drift: driftSchema,
  report: Type.Unknown(),
  startedAt: timestamp(),
  finishedAt: timestamp(),
})

const creation: Static<typeof shownLoad> = {
  uuid: '5186540f-f9d2-4fa4-ad18-d8248461e2b1',
  kind: 'creation',
  mode: 'replace',
  key: null,
  loadedBy: { uuid: exampleAdmin.uuid, name: exampleAdmin.name },
  filename: exampleDocument.filename,
  sizeBytes: exampleDocument.size,
  sha256: exampleDocument.sha256,
  options: exampleOptions,
  dialect: exampleDialect,
  counts: exampleCounts,
  drift: exampleDrift,
  report: exampleReport,
  startedAt: exampleSource.createdAt,
  finishedAt: exampleSource.updatedAt,
}

const loadSchema = named('SourceLoad', shownLoad, { creation })

export const listLoads = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/loads',
    access: 'admin',
    tag: 'sources',
    summary: 'List the loads of a source: who, when, what bytes, and what came of it',
    params: sourcePath,
    query: strictObject(pageQuery(20)),
    responses: {
      200: { description: 'A page of loads', schema: listOf('SourceLoadList', loadSchema) },
    },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params, query }, { sources }) =>
    presentPage(await sources.loads(actor, params.uuid, query), query, presentLoad),
)

function presentLoad(load: SourceLoad) {
  return {
    uuid: load.uuid,
    kind: load.kind,
    mode: load.mode,
    key: load.key,
    loadedBy: load.loadedBy && { uuid: load.loadedBy.uuid, name: load.loadedBy.name },
    filename: load.filename,
    sizeBytes: load.sizeBytes,
    sha256: load.sha256,
    options: load.options,
    dialect: load.dialect,
    counts: load.counts,
    drift: load.drift,
    report: load.report,
    startedAt: load.startedAt.toISOString(),
    finishedAt: load.finishedAt.toISOString(),
  }
}
