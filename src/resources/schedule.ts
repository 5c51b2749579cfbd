import { type Static, Type } from 'typebox'

import { JOB_STATUSES } from './job.ts'
import type { Entity } from './resource.ts'
import { nullable, strictObject, timestamp, uuid } from './schema.ts'

const cron = {
  maxLength: 255,
  description: 'Five fields: minute, hour, day of the month, month, day of the week',
  examples: ['0 6 * * 1-5'],
}
const timezone = {
  maxLength: 255,
  description: 'Time zone of the hours, for example Europe/Paris',
}
const publish = { description: 'False: each run stays staged for review' }
const maxRowsLostPercent = {
  minimum: 0,
  maximum: 100,
  description:
    'A run that would lose a larger share of the rows stays staged, and its report says so',
}

export const scheduleTimes = {
  cron: Type.String(cron),
  timezone: Type.String({ ...timezone, default: 'UTC' }),
}

/** When a source is loaded again, and what happens to its rows. */
export const scheduleSettings = strictObject({
  ...scheduleTimes,
  publish: Type.Boolean({ ...publish, default: true }),
  maxRowsLostPercent: Type.Integer({ ...maxRowsLostPercent, default: 50 }),
})

export type ScheduleSettings = Static<typeof scheduleSettings>

export const schedule = {
  cron: Type.String(cron),
  timezone: Type.String(timezone),
  publish: Type.Boolean(publish),
  maxRowsLostPercent: Type.Integer(maxRowsLostPercent),
  nextRunAt: timestamp(),
  lastRun: nullable(
    strictObject({
      job: uuid('GET /jobs/:uuid shows its owner what came of it'),
      status: Type.Enum(JOB_STATUSES),
      startedAt: nullable(timestamp()),
      finishedAt: nullable(timestamp()),
    }),
  ),
  failures: Type.Integer({
    minimum: 0,
    description: 'Number of failed runs since the last success; the third is reported by e-mail',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export type Schedule = Entity<typeof schedule>
