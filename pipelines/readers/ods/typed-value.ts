import { CellKind } from '../../core/batch.ts'
import { isoDateCell, milliseconds } from '../excel/cells/iso-date-cell.ts'
import { clock } from '../excel/cells/serial-date.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import { canonicalNumber } from '../texts/number-text.ts'

/** What a cell says about its value, in addition to the text that it shows. */
export interface TypedValue {
  readonly text: string
  readonly kind: CellKind
}

const VALUE_TYPE = xmlName('value-type')
export const VALUE = xmlName('value')
export const FORMULA = xmlName('formula')
const DATE_VALUE = xmlName('date-value')
const TIME_VALUE = xmlName('time-value')
const BOOLEAN_VALUE = xmlName('boolean-value')
const STRING_VALUE = xmlName('string-value')

const FLOAT = xmlName('float')
const PERCENTAGE = xmlName('percentage')
const CURRENCY = xmlName('currency')
const DATE = xmlName('date')
const TIME = xmlName('time')
const BOOLEAN = xmlName('boolean')
export const ERROR = xmlName('error')
export const NO_TYPE = xmlName('')
const NUMBERS: ReadonlySet<number> = new Set([FLOAT, PERCENTAGE, CURRENCY])

/** Of its parts each may be left out, and hold more than the next larger one takes. */
const DURATION =
  /^(-?)P(?=[\dT])(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:[.,](\d{1,9}))?S)?)?$/

/** The kind of value that a cell names. */
export function valueType(attributes: XmlAttributes): number {
  const { name, count } = attributes
  let type = NO_TYPE
  for (let index = 0; index < count; index++) {
    if (name[index] !== VALUE_TYPE) continue
    // The last attribute is LibreOffice's own, which knows of errors.
    const value = attributes.word(index)
    if (value === ERROR) return ERROR
    if (type === NO_TYPE) type = value
  }
  return type
}

export const isNumber = (type: number): boolean => NUMBERS.has(type)

/** Null if the text of the cell is its value. */
export function typedValue(type: number, attributes: XmlAttributes): TypedValue | null {
  switch (type) {
    case FLOAT: {
      const isTrue = attributes.text(FORMULA) === 'of:=TRUE()'
      // How LibreOffice converts booleans of Excel, and shows them as such.
      if (isTrue || attributes.text(FORMULA) === 'of:=FALSE()') {
        return { text: String(isTrue), kind: CellKind.boolean }
      }
      return numberOf(attributes)
    }
    case PERCENTAGE:
    case CURRENCY:
      return numberOf(attributes)
    case DATE: {
      const value = attributes.text(DATE_VALUE)
      return value === null ? null : isoDateCell(value)
    }
    case TIME: {
      const value = attributes.text(TIME_VALUE)
      return value === null ? null : { text: clockOf(value), kind: CellKind.text }
    }
    case BOOLEAN: {
      // Some programs write it where numbers have theirs.
      const value = attributes.text(BOOLEAN_VALUE) ?? attributes.text(VALUE)
      const isBoolean = value === 'true' || value === 'false'
      return isBoolean ? { text: value, kind: CellKind.boolean } : null
    }
    default: {
      const value = attributes.text(STRING_VALUE)
      return value === null ? null : { text: value, kind: CellKind.text }
    }
  }
}

function numberOf(attributes: XmlAttributes): TypedValue | null {
  const number = canonicalNumber(attributes.text(VALUE) ?? '')
  return number === null ? null : { text: number, kind: CellKind.number }
}

/**
 * `PT08H30M00S` as people write it: to the millisecond, since seconds are computed from fractions
 * of a day.
 */
function clockOf(duration: string): string {
  const parts = DURATION.exec(duration.trim())
  if (parts === null) return duration
  const [, sign = '', days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = parts
  const wholeHours = Number(days) * 24 + Number(hours)
  const wholeSeconds = (wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = milliseconds(fraction)
  const text = clock(wholeSeconds * 1000 + ms)
  return sign + (ms % 1000 === 0 ? text : text.replace(/0{1,2}$/, ''))
}
