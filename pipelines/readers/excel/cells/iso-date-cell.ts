import { CellKind } from '../../../core/batch.ts'

interface IsoCell {
  readonly text: string
  readonly kind: CellKind
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?Z?)?$/
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59)
const TIME = /^T?(\d\d:\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?Z?$/

/** A cell of type `d` holds ISO 8601 itself: a day, a day with a time, or a time alone. */
export function isoDateCell(text: string): IsoCell {
  const dateTime = DATE_TIME.exec(text.trim())
  if (dateTime !== null) {
    const [, day = '', minutes = '00:00', seconds = '00', fraction = ''] = dateTime
    return {
      text: dayAndTime(day, `${minutes}:${seconds}`, milliseconds(fraction)),
      kind: CellKind.date,
    }
  }
  const time = TIME.exec(text.trim())
  if (time !== null) return { text: `${time[1]}:${time[2] ?? '00'}`, kind: CellKind.text }
  return { text, kind: CellKind.text }
}

/** The digits after the seconds. Programs store fractions of a day, so further digits are noise. */
export function milliseconds(fraction: string): number {
  return Math.round(Number(`0.${fraction === '' ? '0' : fraction}`) * 1000)
}

function dayAndTime(day: string, time: string, ms: number): string {
  if (ms === 1000) {
    const next = new Date(Date.parse(`${day}T${time}Z`) + ms)
    // A day that does not exist stays as it is, and is refused as such.
    if (next.getTime() <= LAST_INSTANT) {
      const [nextDay = '', nextTime = ''] = next.toISOString().slice(0, -'.000Z'.length).split('T')
      return dayAndTime(nextDay, nextTime, 0)
    }
  }
  const fraction = ms % 1000 === 0 ? '' : `.${String(ms).padStart(3, '0')}`
  const clock = time + fraction
  return clock === '00:00:00' ? day : `${day}T${clock}`
}
