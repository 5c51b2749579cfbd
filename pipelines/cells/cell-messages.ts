import { cutText, cutUtf8 } from '../core/cut-text.ts'
import { type Batch, NULL_CELL } from '../core/batch.ts'
import { compte, counted, fr } from '../core/language.ts'
import { defineMessages, type Message } from '../core/message.ts'
import type { ColumnType } from '../core/options.ts'
import type { CounterExample } from '../core/report.ts'

/** Longer values are cut in messages and reports. */
const SHOWN_CHARACTERS = 200

/**
 * What is wrong with a cell. The beginnings of the French texts are quoted by the documents of the
 * service.
 */
export const cellMessages = defineMessages('cell', {
  date: {
    en: ({ value }: { value: string }) => `Invalid date format: “${value}”`,
    fr: ({ value }) => fr`Format de date invalide : « ${value} »`,
  },
  dateOfFormat: {
    en: ({ value, format }: { value: string; format: string }) =>
      `Invalid date format: “${value}” (expected format: ${format})`,
    fr: ({ value, format }) =>
      fr`Format de date invalide : « ${value} » (format attendu : ${format})`,
  },
  number: {
    en: ({ value }: { value: string }) => `Invalid number: “${value}”`,
    fr: ({ value }) => fr`Valeur numérique invalide : « ${value} »`,
  },
  boolean: {
    en: ({ value }: { value: string }) => `Invalid boolean: “${value}”`,
    fr: ({ value }) => fr`Valeur booléenne invalide : « ${value} »`,
  },
  json: {
    en: ({ value }: { value: string }) => `Invalid JSON: “${value}”`,
    fr: ({ value }) => fr`Valeur JSON invalide : « ${value} »`,
  },
  text: {
    en: ({ value }: { value: string }) => `Invalid text: “${value}”`,
    fr: ({ value }) => fr`Texte invalide : « ${value} »`,
  },
  unstorable: {
    en: 'The character NUL (U+0000), or half a Unicode character, cannot be stored',
    fr: 'Le caractère nul (U+0000) ou un caractère Unicode incomplet ne peut pas être enregistré',
  },
  unstorableJson: {
    en: ({ value }: { value: string }) =>
      `Invalid JSON: “${value}”: a number of excessive size, the character NUL (U+0000) or half a Unicode character cannot be stored`,
    fr: ({ value }) =>
      fr`Valeur JSON invalide : « ${value} » : un nombre démesuré, le caractère nul (U+0000) ou un caractère Unicode incomplet ne peut pas être enregistré`,
  },
  absentKey: {
    en: ({ header }: { header: string }) =>
      `The key is missing: “${header}” identifies rows and must not be blank`,
    fr: ({ header }) =>
      fr`Clé absente : « ${header} » distingue les lignes et ne peut pas être vide`,
  },
  andMore: {
    en: ({ first, total }: { first: string; total: number }) =>
      `${first} (${counted(total, 'invalid cell', 'invalid cells')} in all)`,
    fr: ({ first, total }) =>
      `${first} (${compte(total, 'cellule invalide', 'cellules invalides')} en tout)`,
  },
  patternWouldFit: {
    en: (told: { refusal: string; name: string; pattern: string }) =>
      `${told.refusal}. The pattern ${told.pattern} would read “${told.name}”.`,
    fr: (told) => fr`${told.refusal}. Le pattern ${told.pattern} lirait « ${told.name} ».`,
  },
})

/** Describes a cell that its column's type cannot accept. */
export function invalidCellMessage(type: ColumnType, value: string, format?: string): Message {
  return format === undefined
    ? cellMessages[type]({ value })
    : cellMessages.dateOfFormat({ value, format })
}

/**
 * Describes a cell that no column of Postgres can hold, because of a character or, in JSON, of a
 * number.
 */
export function unstorableCellMessage(type: ColumnType, value: string): Message {
  return type === 'json' ? cellMessages.unstorableJson({ value }) : cellMessages.unstorable()
}

/** A cell as reports show it: the text that was read, truncated if it is long. */
export function shownValue(batch: Batch, cell: number): string {
  const start = batch.start[cell]!
  const end = batch.end[cell]!
  if (end === NULL_CELL) return ''
  // A character takes at most four bytes; reading one more than is shown tells whether to truncate.
  const text = cutUtf8(batch.bytes, start, end, 4 * (SHOWN_CHARACTERS + 1))
  return pictured(cutText(text, SHOWN_CHARACTERS, '…'))
}

/**
 * Reports and rejects are kept in Postgres, which cannot hold U+0000, so its symbol is shown
 * instead.
 */
export function pictured(text: string): string {
  return text.replaceAll('\0', '\u2400')
}

/** Names a cell's place in its source, if the reader has a name for it. */
export type PlaceOf = (batch: Batch, row: number, column: number) => string | null

/** A cell with its position, for reports. */
export function counterExample(
  batch: Batch,
  row: number,
  column: number,
  placeOf?: PlaceOf,
): CounterExample {
  const line = batch.lines?.[row]
  const place = placeOf?.(batch, row, column) ?? undefined
  return {
    row: batch.firstRow + row,
    ...(line === undefined ? {} : { line }),
    ...(place === undefined ? {} : { place }),
    // A batch from before the column appeared has no cell for it.
    value: column < batch.width ? shownValue(batch, row * batch.width + column) : '',
  }
}
