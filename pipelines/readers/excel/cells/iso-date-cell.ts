import { CellKind } from '../../../core/batch.ts'

export interface IsoCell {
  readonly text: string
  readonly kind: CellKind
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?Z?)?$/
const TIME = /^T?(\d\d:\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?Z?$/

/** A cell of type `d` holds ISO 8601 itself: a day, a day with a time, or a time alone. */
export function isoDateCell(text: string): IsoCell {
  const dateTime = DATE_TIME.exec(text.trim())
  if (dateTime !== null) {
    const [, day = '', minutes, seconds = '00', fraction = ''] = dateTime
    const ms = fraction.padEnd(3, '0').slice(0, 3)
    const clock = `${minutes ?? '00:00'}:${seconds}${Number(ms) === 0 ? '' : `.${ms}`}`
    return { text: clock === '00:00:00' ? day : `${day}T${clock}`, kind: CellKind.date }
  }
  const time = TIME.exec(text.trim())
  if (time !== null) return { text: `${time[1]}:${time[2] ?? '00'}`, kind: CellKind.text }
  return { text, kind: CellKind.text }
}
