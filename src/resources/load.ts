import { type Static, Type } from 'typebox'

import { ROW_COLUMN } from '../../pipelines/index.ts'
import { mappedHeaderSchema, mappingQuestionSchema } from './mapping.ts'
import { type Entity, resource } from './resource.ts'
import { named, nullable, strictObject, timestamp, uuid } from './schema.ts'

export const LOAD_KINDS = [
  'creation',
  'reload',
  'rejects',
  'schedule',
  'launch',
  'rollback',
  'delivery',
] as const
export type LoadKind = (typeof LOAD_KINDS)[number]

export const LOAD_MODES = ['replace', 'append', 'upsert'] as const

/** What happens to the existing rows. */
export type LoadMode =
  | { readonly kind: 'replace' }
  /** With `slot`: in the place of the rows that earlier loads with the same one brought. */
  | { readonly kind: 'append'; readonly slot?: string }
  /** `key` is a normalised header; an existing row with the same key is replaced. */
  | { readonly kind: 'upsert'; readonly key: string }

/**
 * `staged`: loaded, but not shown. `current`: its rows are shown, except for those that a later
 * load has replaced. `kept`: its rows can be shown again. `gone`: they cannot.
 */
export const LOAD_STATES = [
  'running',
  'staged',
  'current',
  'kept',
  'gone',
  'failed',
  'cancelled',
] as const

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

export const load = resource(
  {
    uuid: uuid(),
    number: Type.Integer({
      minimum: 1,
      description: `Counts the loads of the source; its rows have \`${ROW_COLUMN}\` from number × 2^40 on`,
    }),
    kind: Type.Enum(LOAD_KINDS),
    mode: nullable(Type.Enum(LOAD_MODES, { description: 'Null for a rollback' })),
    key: nullable(Type.String()),
    state: Type.Enum(LOAD_STATES, {
      description:
        'Whether its rows are `current`, can be shown again (`kept`), wait to be published (`staged`) ' +
        'or are `gone`; otherwise how the attempt ended',
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
    distributed: Type.Boolean({
      description:
        'Whether its rows were spread over the nodes of a cluster; a small table stays on one node',
    }),
    report: Type.Unknown(),
    mapping: nullable(
      Type.Array(mappedHeaderSchema, {
        description: 'How the headers met the columns of the shape; null: none was expected',
      }),
    ),
    missing: Type.Array(Type.String(), { description: 'Columns of the shape without a header' }),
    questions: Type.Array(mappingQuestionSchema, {
      description: 'To be answered with `mapping` when the load is published',
    }),
    shapeVersion: nullable(Type.Integer({ description: 'Of the shape that it was read with' })),
    error: Type.Unknown({
      description: 'A problem document if the attempt failed, otherwise null',
    }),
    startedAt: timestamp(),
    finishedAt: nullable(timestamp()),
    publishedAt: nullable(timestamp()),
  },
  {
    id: Type.Integer(),
    tableId: Type.Integer(),
    /** For a rollback: the load whose state it shows. */
    shownLoadId: nullable(Type.Integer()),
    /** The partition with its rows; null if it has none, or no longer. */
    partitionId: nullable(Type.Integer()),
    /** Of what its rows are the latest; null: of nothing. */
    slot: nullable(uuid()),
    /** What people have said of its headers. */
    answers: nullable(
      strictObject({
        given: Type.Unsafe<Readonly<Record<string, string | null>>>(Type.Unknown()),
        remember: Type.Boolean(),
      }),
    ),
  },
  {
    key: (row) => `${row}.key_column`,
    loadedBy: (row) => `(
      select jsonb_build_object('uuid', u.uuid, 'name', u.name) from users u
      where u.id = ${row}.user_id)`,
    counts: (row) => `case when ${row}.rows_read is not null then jsonb_build_object(
      'read', ${row}.rows_read, 'loaded', ${row}.rows_loaded,
      'rejected', ${row}.rows_rejected, 'blank', ${row}.rows_blank) end`,
  },
)

/** How the columns of a load differ from those before it. */
export type Drift = Entity<(typeof driftSchema)['properties']>
/** Where the rows came from. */
export type LoadOrigin = Static<typeof originSchema>
