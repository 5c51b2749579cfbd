import { Type } from 'typebox'

import { problemSchema } from './problem.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, strictObject, timestamp, uuid } from './schema.ts'

export const JOB_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** What a job waits for if it is unavailable. */
const AWAY_PARTS = ['database', 'cluster', 'object-storage'] as const
export type AwayPart = (typeof AWAY_PARTS)[number]

const listed = {
  uuid: uuid(),
  kind: Type.String({ examples: ['source.create'] }),
  about: nullable(
    strictObject(
      { uuid: nullable(uuid()), name: Type.String() },
      {
        description:
          'The source, workflow or folder, under the name that it had when the job was asked for; ' +
          '`uuid` is null for a source that has not been made',
      },
    ),
  ),
  status: Type.Enum(JOB_STATUSES),
  progress: strictObject({
    phase: nullable(Type.String()),
    bytesRead: Type.Integer({ minimum: 0 }),
    bytesTotal: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The final value of `bytesRead`; null if unknown. While a form is uploaded it is the length ' +
          'of the whole body, slightly more than that of the file',
      }),
    ),
    rows: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
  }),
  waitingFor: Type.Optional(
    Type.Enum(AWAY_PARTS, {
      description:
        'Only for a job that is queued again because this was unavailable: it is tried after 1 s, then ' +
        'after twice as long each time, up to a minute',
    }),
  ),
  error: Type.Optional(problemSchema),
  createdAt: timestamp(),
  startedAt: nullable(timestamp()),
  finishedAt: nullable(timestamp()),
}

const hidden = {
  id: Type.Integer(),
  /** Grows with every change. */
  version: Type.Integer(),
}

/** What a job is about. */
export interface Subject {
  /** Null: it is yet to be made. */
  readonly uuid: string | null
  readonly name: string
}

const sql = {
  about: (row: string) => `case when ${row}.about_name is not null then
    json_build_object('uuid', ${row}.about_uuid, 'name', ${row}.about_name) end`,
  waitingFor: (row: string) => `case ${row}.status when 'QUEUED' then ${row}.waiting_for end`,
  progress: (row: string) =>
    `json_build_object('phase', ${row}.phase, 'bytesRead', ${row}.bytes_read,
                       'bytesTotal', ${row}.bytes_total, 'rows', ${row}.rows,
                       'rejected', ${row}.rejected)`,
}

/** The record of a long call as lists show it, without the result, which can be large. */
export const listedJob = resource(listed, hidden, sql)

export type ListedJob = EntityOf<typeof listedJob>
export type JobProgress = ListedJob['progress']

export const job = resource(
  {
    ...listed,
    result: Type.Optional(
      Type.Unknown({
        description:
          'The body that the synchronous call would have returned; null if the work was done, but a ' +
          'fault prevented this from being recorded',
      }),
    ),
  },
  hidden,
  sql,
)

export type Job = EntityOf<typeof job>
