import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import type { SeededRandom } from '../../support/seeded-random.ts'
import { rawEntries, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'

const MOST_CHANGES = 4
const MOST_STRETCH = 64
const SIGNS = ['"', '\n', '{', '<', ',', '\0']

type Damage = (bytes: Buffer) => Buffer

/** Makes a file that is sound but for what is done to it in one place: outside, or within. */
type Recipe = (damage: Damage) => Buffer

export function recipes(): Recipe[] {
  const rows = Array.from({ length: 300 }, (_, row) => [
    `${row}`,
    `"text, ${row}"`,
    `${row % 28}/01/2024`,
  ])
  const csv = Buffer.from(`id,text,day\n${rows.map((row) => row.join(',')).join('\n')}\n`)
  const objects = rows.map(([id, text, day]) => ({ id: Number(id), text, day, more: { id, day } }))
  const json = Buffer.from(JSON.stringify(objects))
  const lines = Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
  const wide = Buffer.from(`\ufeff${csv.toString()}`, 'utf16le')
  const sheet = textRow('id', 'text') + rows.map(([id, text]) => textRow(id!, text!)).join('')
  const shared = '<row><c t="s"><v>0</v></c><c s="1"><v>45000</v></c></row>'
  const entries = rawEntries({
    sheets: [{ rows: sheet + shared }],
    sharedStrings: '<si><t>x</t></si>',
    formats: [0, 14],
  })
  const workbook = zip(entries)
  const packedCsv = zip([{ name: 'a.csv', content: csv }])
  const texts = [csv, json, lines, wide]
  return [
    ...[...texts, workbook, packedCsv].map(
      (file): Recipe =>
        (damage) =>
          damage(file),
    ),
    ...[csv, lines, workbook].flatMap((file): Recipe[] => [
      (damage) => damage(gzipSync(file)),
      (damage) => gzipSync(damage(file)),
    ]),
    ...entries.map(
      (entry): Recipe =>
        (damage) =>
          zip(
            entries.map((other) =>
              other === entry ? { ...other, content: damage(Buffer.from(other.content)) } : other,
            ),
          ),
    ),
  ]
}

const FIXTURES = join(import.meta.dirname, '../../fixtures')

/** One sound file of each kind that programs of others write, by the kind. */
export function soundFiles(): Readonly<Record<string, Buffer>> {
  const paths = {
    '.xlsx': 'as-shown/openpyxl.xlsx',
    '.xls': 'xls/xlwt.xls',
    '.ods': 'as-shown/libreoffice.ods',
    'Parquet of all types': 'parquet/types.parquet',
    'nested Parquet': 'parquet/nested.parquet',
    HTML: 'html/portail.xls',
    'XML Spreadsheet': 'xml-spreadsheet/excel-2003.xml',
    'fixed-width text': 'fixed-width/comptes.txt',
  }
  const files = Object.entries(paths).map(([kind, path]) => [
    kind,
    readFileSync(join(FIXTURES, path)),
  ])
  return { ...Object.fromEntries(files), ...recordsOfOtherKinds() }
}

function recordsOfOtherKinds(): Readonly<Record<string, Buffer>> {
  const towns = ['Brest', 'Dole', 'Vire']
  const features = towns.map((name, at) => ({
    type: 'Feature',
    properties: { name, at },
    geometry: { type: 'Point', coordinates: [at, 48] },
  }))
  const records = towns.map((name, at) => `<town at="${at}"><name>${name}</name></town>`)
  return {
    GeoJSON: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
    'XML of records': Buffer.from(`<?xml version="1.0"?>\n<towns>${records.join('\n')}</towns>`),
  }
}

const MOST_FLIPS = 8

/** Bits here and there: everything else stays in its place, so that the fault is met deep inside. */
export const flipBy =
  (random: SeededRandom): Damage =>
  (sound) => {
    const bytes = Buffer.from(sound)
    for (let flip = random.integer(1, MOST_FLIPS); flip > 0; flip--) {
      bytes[random.integer(0, bytes.length - 1)]! ^= 1 << random.integer(0, 7)
    }
    return bytes
  }

type Change = (bytes: Buffer, at: number, random: SeededRandom) => Buffer

const CHANGES: readonly Change[] = [
  (bytes, at, random) => {
    const changed = Buffer.from(bytes)
    changed[at] = random.integer(0, 255)
    return changed
  },
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => spliced(bytes, at, stretch(random), Buffer.alloc(0)),
  (bytes, at, random) => spliced(bytes, at, 0, bytes.subarray(at, at + stretch(random))),
  (bytes, at, random) => spliced(bytes, at, 0, Buffer.alloc(stretch(random))),
  (bytes, at, random) => spliced(bytes, at, 0, Buffer.from(random.pick(SIGNS))),
]

/** A few changes here and there, as the seed has it. */
export const damageBy =
  (random: SeededRandom): Damage =>
  (sound) => {
    let bytes = sound
    for (let change = random.integer(1, MOST_CHANGES); change > 0; change--) {
      bytes = random.pick(CHANGES)(bytes, random.integer(0, bytes.length), random)
    }
    return bytes
  }

const stretch = (random: SeededRandom) => random.integer(1, MOST_STRETCH)

function spliced(bytes: Buffer, at: number, removed: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}
