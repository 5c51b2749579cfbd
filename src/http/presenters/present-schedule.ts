import type { Static } from 'typebox'

import { schedule, scheduleSettings } from '../../resources/schedule.ts'
import { named, strictObject } from '../schemas.ts'
import { queuedJob } from './present-job.ts'
import { exampleSource } from './present-source.ts'
import { presenter } from './presenter.ts'

const exampleSettings = {
  cron: '0 6 * * 1-5',
  timezone: 'Europe/Paris',
  publish: true,
  maxRowsLostPercent: 50,
}

export const scheduleBody = named('SourceScheduleSettings', scheduleSettings, {
  'every-working-day': exampleSettings,
  'to-be-looked-at': { ...exampleSettings, cron: '*/30 * * * *', publish: false },
})

const shownSchedule = strictObject(schedule)

const exampleSchedule: Static<typeof shownSchedule> = {
  ...exampleSettings,
  nextRunAt: '2026-04-02T04:00:00.000Z',
  lastRun: {
    job: queuedJob('source.schedule').uuid,
    status: 'SUCCEEDED',
    startedAt: '2026-04-01T04:00:00.412Z',
    finishedAt: '2026-04-01T04:00:03.120Z',
  },
  failures: 0,
  createdAt: exampleSource.createdAt,
  updatedAt: exampleSource.updatedAt,
}

export const scheduleSchema = named('SourceSchedule', shownSchedule, {
  'has-run': exampleSchedule,
  new: { ...exampleSchedule, lastRun: null },
})

export const presentSchedule = presenter(schedule)
