import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/**
 * A table as people export it, twice: messy as it comes (quotes, accents, day-first dates, decimal
 * commas, placeholders, blanks) and clean as psql wants it. The same seed makes the same bytes.
 */
interface MessyColumn {
  readonly header: string
  readonly column: string
  readonly sqlType: string
}

export const MESSY_COLUMNS: readonly MessyColumn[] = [
  { header: 'Numéro', column: 'numero', sqlType: 'bigint' },
  { header: 'Nom', column: 'nom', sqlType: 'text' },
  { header: 'Ville', column: 'ville', sqlType: 'text' },
  { header: 'Date de naissance', column: 'date_de_naissance', sqlType: 'date' },
  { header: 'Montant', column: 'montant', sqlType: 'numeric' },
  { header: 'Vu le', column: 'vu_le', sqlType: 'timestamptz' },
  { header: 'Actif', column: 'actif', sqlType: 'boolean' },
  { header: 'Commentaire', column: 'commentaire', sqlType: 'text' },
  { header: 'Code postal', column: 'code_postal', sqlType: 'text' },
  { header: 'Quantité', column: 'quantite', sqlType: 'bigint' },
  { header: 'E-mail', column: 'e_mail', sqlType: 'text' },
]

const FIRST = ['Amélie', 'Zoé', 'François', 'Hélène', 'Jérôme', 'Nadia', 'Noël', 'Söfia']
const LAST = ['Lefèvre', 'Garçon', 'Dupont', 'Müller', "L'Hôte", 'Nguyễn', 'Bénard', 'Roux']
const CITIES = [
  'Besançon',
  'Orléans',
  'Saint-Étienne',
  'Paris',
  'Nîmes',
  'Angoulême',
  'Brest',
  'Lyon',
]
const NOTES = [
  'RAS',
  'à rappeler lundi; le matin',
  'dit « oui », puis "non"',
  'adresse à vérifier\ndeuxième étage',
  'client fidèle depuis dix ans',
  '',
  'livré, signé',
  'sans suite',
]
/** What stands where a date is missing. */
const NO_DATE = ['', 'null', '0', '01/01/1970', '30/12/1899', '  ']

interface MessyFiles {
  readonly messy: string
  readonly clean: string
}

export async function writeMessyCsv(rows: number, files: MessyFiles): Promise<void> {
  const messy = createWriteStream(files.messy)
  const clean = createWriteStream(files.clean)
  messy.write(`${MESSY_COLUMNS.map(({ header }) => header).join(';')}\r\n`)
  const random = seededRandom(20_240_131)
  const ROWS_AT_ONCE = 5000
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE) {
    let messyText = ''
    let cleanText = ''
    for (let row = from; row < Math.min(from + ROWS_AT_ONCE, rows + 1); row++) {
      const cells = makeRow(row, random)
      messyText += `${cells.map(([messyCell]) => messyCell).join(';')}\r\n`
      cleanText += `${cells.map(([, cleanCell]) => cleanCell).join(',')}\n`
    }
    await Promise.all([write(messy, messyText), write(clean, cleanText)])
  }
  messy.end()
  clean.end()
  await Promise.all([finished(messy), finished(clean)])
}

type Cell = readonly [messy: string, clean: string]

function makeRow(row: number, random: () => number): readonly Cell[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const first = pick(FIRST)
  const last = pick(LAST)
  return [
    same(String(row * 7 + 1_000_000)),
    quoted(`${first} ${last}`, random() < 0.3),
    same(pick(CITIES)),
    random() < 0.05 ? [pick(NO_DATE), ''] : birthday(random),
    amount(random),
    instant(random),
    random() < 0.5 ? ['oui', 't'] : ['non', 'f'],
    quoted(pick(NOTES), random() < 0.2),
    same(String(1000 + Math.floor(random() * 94_000)).padStart(5, '0')),
    random() < 0.03 ? ['', ''] : same(String(Math.floor(random() * 500))),
    same(`${plain(first)}.${plain(last)}${row % 1000}@example.test`.toLowerCase()),
  ]
}

function same(text: string): Cell {
  return [text, text]
}

function quoted(text: string, always: boolean): Cell {
  const inQuotes = `"${text.replaceAll('"', '""')}"`
  const messy = always || /[;"\r\n]/.test(text) ? inQuotes : text
  return [messy, /[,"\r\n]/.test(text) ? inQuotes : text]
}

function birthday(random: () => number): Cell {
  const year = 1940 + Math.floor(random() * 70)
  const month = two(1 + Math.floor(random() * 12))
  // Never the first: 1970-01-01 stands for no date.
  const day = two(2 + Math.floor(random() * 27))
  return [`${day}/${month}/${year}`, `${year}-${month}-${day}`]
}

function amount(random: () => number): Cell {
  const cents = Math.floor(random() * 5_000_000)
  const whole = Math.floor(cents / 100)
  const fraction = two(cents % 100)
  const grouped = random() < 0.3 ? whole.toString().replace(/\B(?=(\d{3})+$)/g, ' ') : String(whole)
  return [`${grouped},${fraction}`, `${whole}.${fraction}`]
}

function instant(random: () => number): Cell {
  const at = new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 315_000_000) * 1000)
  const iso = at.toISOString()
  const time = iso.slice(11, 19)
  return [
    `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${time}`,
    `${iso.slice(0, 10)} ${time}+00`,
  ]
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/[^a-z]/gi, '')
}

async function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** xorshift32: small, quick, and the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
