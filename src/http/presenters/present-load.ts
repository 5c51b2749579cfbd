import { type Static, Type } from 'typebox'

import { type Load, LOAD_KINDS, LOAD_MODES, LOAD_STATES } from '../../domain/loads/load.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'
import {
  exampleCounts,
  exampleDialect,
  exampleDrift,
  exampleOptions,
  exampleReport,
} from './example-table.ts'
import { exampleAdmin } from './present-actor.ts'
import { exampleDocument } from './present-document.ts'
import { exampleSource } from './present-source.ts'

const columns = Type.Array(strictObject({ name: Type.String(), type: Type.String() }))

export const driftSchema = named(
  'Drift',
  strictObject({
    added: columns,
    removed: columns,
    retyped: Type.Array(
      strictObject({ name: Type.String(), from: Type.String(), to: Type.String() }),
    ),
  }),
)

const originSchema = named(
  'LoadOrigin',
  Type.Union([
    strictObject({ kind: Type.Literal('upload') }),
    strictObject({ kind: Type.Literal('api') }),
    strictObject({ kind: Type.Literal('document'), documentUuid: uuid() }),
    strictObject({
      kind: Type.Literal('load'),
      loadUuid: uuid('Of a rollback: whose state it shows'),
    }),
  ]),
)

const shownLoad = strictObject({
  uuid: uuid(),
  number: Type.Integer({
    minimum: 1,
    description: 'Counts the loads of the source; its rows have `_row` from number × 2^40 on',
  }),
  kind: Type.Enum(LOAD_KINDS),
  mode: nullable(Type.Enum(LOAD_MODES, { description: 'Null for a rollback' })),
  key: nullable(Type.String()),
  state: Type.Enum(LOAD_STATES, {
    description:
      'Whether its rows are shown (`current`), can be shown again (`kept`), wait to be published ' +
      '(`staged`) or are `gone`; or how the attempt ended',
  }),
  loadedBy: nullable(strictObject({ uuid: uuid(), name: Type.String() })),
  filename: nullable(Type.String()),
  sizeBytes: nullable(Type.Integer()),
  sha256: nullable(Type.String({ description: 'Of the bytes that were read' })),
  origin: nullable(originSchema),
  options: Type.Unknown(),
  dialect: Type.Unknown(),
  counts: nullable(
    strictObject({
      read: Type.Integer(),
      loaded: Type.Integer(),
      rejected: Type.Integer(),
      blank: Type.Integer(),
    }),
  ),
  drift: nullable(driftSchema),
  report: Type.Unknown(),
  error: Type.Unknown({ description: 'A problem document, where the attempt failed; else null' }),
  startedAt: timestamp(),
  finishedAt: nullable(timestamp()),
  publishedAt: nullable(timestamp()),
})

export const exampleLoad: Static<typeof shownLoad> = {
  uuid: '5186540f-f9d2-4fa4-ad18-d8248461e2b1',
  number: 1,
  kind: 'creation',
  mode: 'replace',
  key: null,
  state: 'current',
  loadedBy: { uuid: exampleAdmin.uuid, name: exampleAdmin.name },
  filename: exampleDocument.filename,
  sizeBytes: exampleDocument.size,
  sha256: exampleDocument.sha256,
  origin: { kind: 'upload' },
  options: exampleOptions,
  dialect: exampleDialect,
  counts: exampleCounts,
  drift: exampleDrift,
  report: exampleReport,
  error: null,
  startedAt: exampleSource.createdAt,
  finishedAt: exampleSource.updatedAt,
  publishedAt: exampleSource.updatedAt,
}

export const loadPath = strictObject({
  uuid: uuid(undefined, exampleSource.uuid),
  load: uuid(undefined, exampleLoad.uuid),
})

export const stagedLoad: typeof exampleLoad = {
  ...exampleLoad,
  uuid: '0b0e6a3c-2f9d-4c0f-9a55-6a0f6f6b7a11',
  number: 2,
  kind: 'reload',
  state: 'staged',
  publishedAt: null,
}

const failedLoad: typeof exampleLoad = {
  ...exampleLoad,
  uuid: '9d5d3d57-9a7c-4e0a-8d7d-5f5a0c2f4c1e',
  number: 3,
  kind: 'reload',
  state: 'failed',
  dialect: null,
  counts: null,
  drift: null,
  report: null,
  error: {
    type: 'urn:administration-service:problem:SourceFileEmptyException',
    title: 'There is nothing in the data',
    status: 400,
    code: 'SourceFileEmptyException',
    detail: 'The file holds nothing but white space.',
  },
  publishedAt: null,
}

export const loadSchema = named('SourceLoad', shownLoad, {
  creation: exampleLoad,
  staged: stagedLoad,
  failed: failedLoad,
})

export function presentLoad(load: Load) {
  return {
    uuid: load.uuid,
    number: load.number,
    kind: load.kind,
    mode: load.mode,
    key: load.key,
    state: load.state,
    loadedBy: load.loadedBy && { uuid: load.loadedBy.uuid, name: load.loadedBy.name },
    filename: load.filename,
    sizeBytes: load.sizeBytes,
    sha256: load.sha256,
    origin: load.origin,
    options: load.options,
    dialect: load.dialect,
    counts: load.counts,
    drift: load.drift,
    report: load.report,
    error: load.error,
    startedAt: load.startedAt.toISOString(),
    finishedAt: load.finishedAt?.toISOString() ?? null,
    publishedAt: load.publishedAt?.toISOString() ?? null,
  }
}
