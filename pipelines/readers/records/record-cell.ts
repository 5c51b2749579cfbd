import { CellKind } from '../../core/batch.ts'
import { canonicalJson, textFault, withoutFaults, type TextFault } from '../../json/canonical.ts'
import { canonicalDecimal } from '../../json/decimal.ts'
import { attachmentByIdAndName } from './attachments.ts'

export interface RecordCell {
  readonly text: string
  readonly kind: CellKind
  readonly fault: TextFault | null
}

/** The canonical text of one value of a record; null where there is no value. */
export function recordCell(value: unknown, maximumDepth: number): RecordCell | null {
  switch (typeof value) {
    case 'string': {
      const fault = textFault(value)
      const text = fault === null ? value : withoutFaults(value)
      return { text, kind: CellKind.text, fault }
    }
    case 'number':
      return Number.isFinite(value) ? numberCell(String(value)) : null
    case 'bigint':
      return numberCell(String(value))
    case 'boolean':
      return { text: String(value), kind: CellKind.boolean, fault: null }
    case 'object':
      return value === null ? null : objectCell(value, maximumDepth)
    default:
      return null
  }
}

function numberCell(written: string): RecordCell {
  const decimal = canonicalDecimal(written)
  return decimal === null
    ? { text: written, kind: CellKind.text, fault: null }
    : { text: decimal, kind: CellKind.number, fault: null }
}

function objectCell(value: object, maximumDepth: number): RecordCell | null {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime())
      ? null
      : { text: value.toISOString(), kind: CellKind.date, fault: null }
  }
  let fault: TextFault | null = null
  const text = canonicalJson(value, {
    depth: maximumDepth,
    instead: attachmentByIdAndName,
    onFault: (found) => {
      fault ??= found
    },
  })
  return { text, kind: CellKind.json, fault }
}
