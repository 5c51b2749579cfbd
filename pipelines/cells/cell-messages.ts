import type { Batch } from '../core/batch.ts'
import { NULL_CELL } from '../core/batch.ts'
import type { ColumnType, UiDateFormat } from '../core/options.ts'

/** Longer values are cut in messages and reports. */
const SHOWN_CHARACTERS = 200

const BEGINNINGS: Record<ColumnType, string> = {
  date: 'Format de date invalide',
  number: 'Valeur numérique invalide',
  boolean: 'Valeur booléenne invalide',
  json: 'Valeur JSON invalide',
  text: 'Texte invalide',
}

/** What is wrong with a cell that its column's type cannot take. */
export function invalidCellMessage(
  type: ColumnType,
  value: string,
  dateFormat?: UiDateFormat,
): string {
  const shown = `${BEGINNINGS[type]} : « ${value} »`
  return dateFormat === undefined ? shown : `${shown} (format attendu : ${dateFormat})`
}

/** For a cell that no column of Postgres can hold: for a character, in JSON also for a number. */
export function unstorableCellMessage(type: ColumnType, value: string): string {
  if (type !== 'json') {
    return 'Le caractère nul (U+0000) ou un caractère Unicode incomplet ne peut pas être enregistré'
  }
  return `${invalidCellMessage(type, value)} : un nombre démesuré, le caractère nul (U+0000) ou un caractère Unicode incomplet ne peut pas être enregistré`
}

/** For a row that is added by key and has none. */
export function absentKeyMessage(header: string): string {
  return `Clé absente : « ${header} » distingue les lignes et ne peut pas être vide`
}

/** A cell as reports show it: its text as it was read, cut where it is long. */
export function shownValue(batch: Batch, cell: number): string {
  const start = batch.start[cell]!
  const end = batch.end[cell]!
  if (end === NULL_CELL) return ''
  // A character takes at most four bytes: with one more than is shown, it is known to be cut.
  const most = start + 4 * (SHOWN_CHARACTERS + 1)
  const characters = [...batch.bytes.toString('utf8', start, Math.min(end, most))]
  const shown = pictured(characters.slice(0, SHOWN_CHARACTERS).join(''))
  return characters.length > SHOWN_CHARACTERS ? `${shown}…` : shown
}

/** Reports and rejects are kept in Postgres, which cannot hold U+0000: its picture stands for it. */
export function pictured(text: string): string {
  return text.replaceAll('\0', '\u2400')
}
