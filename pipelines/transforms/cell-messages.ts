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

/** For a cell with a character that no column of Postgres can hold. */
export function unstorableCellMessage(): string {
  return 'Le caractère nul (U+0000) ou un caractère Unicode incomplet ne peut pas être enregistré'
}

/** A cell as reports show it: its text as it was read, cut where it is long. */
export function shownValue(batch: Batch, cell: number): string {
  const start = batch.start[cell]!
  const end = batch.end[cell]!
  if (end === NULL_CELL) return ''
  // A character takes at most four bytes: with one more than is shown, it is known to be cut.
  const most = start + 4 * (SHOWN_CHARACTERS + 1)
  const characters = [...batch.bytes.toString('utf8', start, Math.min(end, most))]
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('')
  // Reports are kept in Postgres, which cannot hold U+0000; this is the picture of it.
  const storable = shown.replaceAll('\0', '\u2400')
  return characters.length > SHOWN_CHARACTERS ? `${storable}…` : storable
}
