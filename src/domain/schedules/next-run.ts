import { Cron } from 'croner'

import { invalidField } from '../../errors/index.ts'
import type { ScheduleSettings } from '../../resources/schedule.ts'
import { scheduleMessages } from './schedule-messages.ts'

type Times = Pick<ScheduleSettings, 'cron' | 'timezone'>

/** Croner knows shorthands, seconds and years besides. */
const FIVE_FIELDS = /^\S+(?: +\S+){4}$/

/**
 * The first time after the given one. An hour that the clocks leave out is made up for right after
 * it, and one that they repeat counts once.
 */
export function nextRun({ cron, timezone }: Times, after: Date): Date {
  const next = new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(after)
  if (next === null) throw new RangeError(`${cron} never comes`)
  return next
}

/** What a schedule cannot be kept with is told by its field. */
export function requireTimes(times: Times): void {
  if (!isTimezone(times.timezone)) {
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

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // Intl has no other way to say that it does not know a name.
    return false
  }
}
