import { gzipSync } from 'node:zlib'

import type { SeededRandom } from '../../support/seeded-random.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'

const MOST_CHANGES = 4
const MOST_STRETCH = 64

/** Files of every kind with nothing wrong. */
export function soundFiles(): Buffer[] {
  const rows = Array.from({ length: 300 }, (_, row) => [
    `${row}`,
    `"text, ${row}"`,
    `${row % 28}/01/2024`,
  ])
  const csv = Buffer.from(`id,text,day\n${rows.map((row) => row.join(',')).join('\n')}\n`)
  const objects = rows.map(([id, text, day]) => ({ id: Number(id), text, day, more: { id, day } }))
  const json = Buffer.from(JSON.stringify(objects))
  const lines = Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
  const sheet = textRow('id', 'text') + rows.map(([id, text]) => textRow(id!, text!)).join('')
  const workbook = rawWorkbook({ sheets: [{ rows: sheet }], sharedStrings: '<si><t>x</t></si>' })
  const wide = Buffer.from(`\ufeff${csv.toString()}`, 'utf16le')
  const plain = [csv, json, lines, workbook, wide]
  return [...plain, ...plain.map((file) => gzipSync(file)), zip([{ name: 'a.csv', content: csv }])]
}

const SIGNS = ['"', '\n', '{', '<', ',', '\0']

type Change = (bytes: Buffer, at: number, random: SeededRandom) => Buffer

const CHANGES: readonly Change[] = [
  (bytes, at, random) => {
    const changed = Buffer.from(bytes)
    changed[at] = random.integer(0, 255)
    return changed
  },
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => spliced(bytes, at, random.integer(1, MOST_STRETCH), Buffer.alloc(0)),
  (bytes, at, random) => spliced(bytes, at, 0, bytes.subarray(at, at + stretch(random))),
  (bytes, at, random) => spliced(bytes, at, 0, Buffer.alloc(stretch(random))),
  (bytes, at, random) => spliced(bytes, at, 0, Buffer.from(random.pick(SIGNS))),
]

/** With a few changes here and there, as the seed has it. */
export function damaged(file: Buffer, random: SeededRandom): Buffer {
  let bytes = file
  for (let change = random.integer(1, MOST_CHANGES); change > 0; change--) {
    bytes = random.pick(CHANGES)(bytes, random.integer(0, bytes.length), random)
  }
  return bytes
}

const stretch = (random: SeededRandom) => random.integer(1, MOST_STRETCH)

function spliced(bytes: Buffer, at: number, removed: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}
