import { civilDate, twoDigits } from '../../texts/civil-date.ts'

/** The year from which a workbook counts its days. */
export type DateSystem = '1900' | '1904'

const DAY_MS = 86_400_000
const SECOND_MS = 1000

/** 9999-12-31, the last day that a workbook knows. */
const LAST_SERIAL = 2_958_465
/** 1904-01-01 in the system that counts from 1900. */
const SERIAL_OF_1904 = 1462
/** Excel believes that 1900 was a leap year; this is the day it invented. */
const PHANTOM_SERIAL = 60
/** Days from 1899-12-30 to 1970-01-01: what serials past the phantom count from. */
const UNIX_EPOCH_SERIAL = 25_569

interface SerialDate {
  readonly text: string
  /** False for the day that does not exist: it is shown, but is not a date. */
  readonly real: boolean
}

/** `YYYY-MM-DD`, with `THH:mm:ss[.SSS]` if there is a time; null if it is not a date. */
export function serialDate(serial: number, system: DateSystem): SerialDate | null {
  const since1900 = system === '1904' ? serial + SERIAL_OF_1904 : serial
  if (!(since1900 >= 0 && since1900 < LAST_SERIAL + 1)) return null
  const totalMs = Math.round(since1900 * DAY_MS)
  const day = Math.floor(totalMs / DAY_MS)
  const timeMs = totalMs % DAY_MS
  const suffix = timeMs === 0 ? '' : `T${clock(timeMs)}`
  if (day === PHANTOM_SERIAL) return { text: `1900-02-29${suffix}`, real: false }
  // Before the phantom day, Excel's calendar is a day behind; its day zero is generally taken as
  // 1899-12-30.
  const shifted = day > 0 && day < PHANTOM_SERIAL ? day + 1 : day
  return { text: civilDate(shifted - UNIX_EPOCH_SERIAL) + suffix, real: true }
}

/** Time of day, whatever the day. */
export function serialTime(serial: number, precise: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0) return null
  const ms = rounded((serial % 1) * DAY_MS, precise)
  return clock(ms % DAY_MS)
}

/** A duration; hours keep counting past a day. */
export function serialDuration(serial: number, precise: boolean): string | null {
  if (!Number.isFinite(serial) || Math.abs(serial) > LAST_SERIAL) return null
  const ms = rounded(Math.abs(serial) * DAY_MS, precise)
  return (serial < 0 && ms > 0 ? '-' : '') + clock(ms)
}

/** A format without fractions rounds to the second, as on the screen. */
function rounded(ms: number, precise: boolean): number {
  return precise ? Math.round(ms) : Math.round(ms / SECOND_MS) * SECOND_MS
}

/** For a whole number of milliseconds. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS)
  const fraction = ms % SECOND_MS
  const text = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(3, '0')}`
}
