import { Cron } from 'croner'
import { IANAZone } from 'luxon'

import { invalidField } from '../../errors/index.ts'
import type { ScheduleSettings } from '../../resources/schedule.ts'
import { scheduleMessages } from './schedule-messages.ts'

type Times = Pick<ScheduleSettings, 'cron' | 'timezone'>

/** Croner also accepts shorthands, seconds and years; like crontab, it ignores spaces around the fields. */
const FIVE_FIELDS = /^ *\S+(?: +\S+){4} *$/

/**
 * The first time after the given one. A time that is skipped when the clocks change is made up for
 * right afterwards, and one that occurs twice counts once.
 */
export function nextRun(times: Times, after: Date): Date {
  const [next] = nextRuns(times, after, 1)
  if (next === undefined) throw new RangeError(`${times.cron} never comes`)
  return next
}

/** As many as asked for, or all that will ever come. */
export const nextRuns = ({ cron, timezone }: Times, after: Date, count: number): Date[] =>
  new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRuns(count, after)

/** Refuses invalid times, naming the field. */
export function requireTimes(times: Times): void {
  if (!IANAZone.isValidZone(times.timezone)) {
    throw invalidField('/timezone', scheduleMessages.timezone())
  }
  if (!FIVE_FIELDS.test(times.cron)) {
    throw invalidField('/cron', scheduleMessages.fiveFields())
  }
  try {
    nextRun(times, new Date())
  } catch (cause) {
    throw invalidField('/cron', scheduleMessages.neverComes(), cause)
  }
}
