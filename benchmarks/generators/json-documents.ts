import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

const JSON_LAYOUTS = ['array', 'newline-delimited'] as const
export type JsonLayout = (typeof JSON_LAYOUTS)[number]

/** Keys of every row, in their order, and what becomes of them. */
export const JSON_COLUMNS = [
  { key: 'id', sqlType: 'bigint' },
  { key: 'nom', sqlType: 'text' },
  { key: 'email', sqlType: 'text' },
  { key: 'ville', sqlType: 'text' },
  { key: 'montant', sqlType: 'numeric' },
  { key: 'inscrit', sqlType: 'date' },
  { key: 'actif', sqlType: 'boolean' },
  { key: 'note', sqlType: 'text' },
  { key: 'quantite', sqlType: 'bigint' },
  { key: 'adresse', sqlType: 'jsonb' },
] as const

const CITIES = ['Besançon', 'Orléans', 'Saint-Étienne', 'Paris', 'Nîmes', 'Brest', 'Lyon']
const ROWS_AT_ONCE = 5000

/** What an export of another application looks like; the same bytes every time. */
export async function writeJsonDocument(
  path: string,
  rows: number,
  layout: JsonLayout,
): Promise<void> {
  const isArray = layout === 'array'
  const file = createWriteStream(path)
  file.write(isArray ? '[' : '')
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rows - from + 1)
    const texts = Array.from({ length: count }, (_, k) => JSON.stringify(makeRow(from + k)))
    const before = from === 1 ? '' : isArray ? ',' : '\n'
    const isWritten = file.write(before + texts.join(isArray ? ',' : '\n'))
    if (!isWritten) await once(file, 'drain')
  }
  file.end(isArray ? ']' : '\n')
  await finished(file)
}

function makeRow(row: number): Record<(typeof JSON_COLUMNS)[number]['key'], unknown> {
  const mixed = (row * 2_654_435_761) % 4_294_967_296
  return {
    id: row,
    nom: `Société n° ${mixed % 9973}`,
    email: `contact.${row}@example.test`,
    ville: CITIES[mixed % CITIES.length],
    montant: (mixed % 5_000_000) / 100,
    inscrit: new Date(Date.UTC(2010, 0, 1 + (mixed % 5000))).toISOString().slice(0, 10),
    actif: mixed % 2 === 0,
    note: mixed % 4 === 0 ? null : `dit « oui », puis "non"\n${mixed}`,
    quantite: mixed % 500,
    adresse: { rue: `${mixed % 200} rue des Lilas`, cp: String(10_000 + (mixed % 80_000)) },
  }
}
