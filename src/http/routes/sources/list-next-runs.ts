import { Type } from 'typebox'

import { nextRuns, requireTimes } from '../../../domain/schedules/next-run.ts'
import { scheduleTimes } from '../../../resources/schedule.ts'
import { defineRoute } from '../../define-route.ts'
import { named, strictObject, timestamp } from '../../schemas.ts'

const SHOWN = 3

const nextRunsSchema = named(
  'NextRuns',
  strictObject({ runs: Type.Array(timestamp(), { maxItems: SHOWN }) }),
  {
    'every-working-day': {
      runs: ['2026-04-02T04:00:00.000Z', '2026-04-03T04:00:00.000Z', '2026-04-06T04:00:00.000Z'],
    },
  },
)

export const listNextRuns = defineRoute(
  {
    method: 'get',
    path: '/schedules/next-runs',
    access: 'admin',
    tag: 'sources',
    summary: 'Show when a schedule would run next, before it is set',
    query: strictObject(scheduleTimes),
    responses: { 200: { description: 'The next three times', schema: nextRunsSchema } },
  },
  async ({ query }) => {
    requireTimes(query)
    return { runs: nextRuns(query, new Date(), SHOWN).map((run) => run.toISOString()) }
  },
)
