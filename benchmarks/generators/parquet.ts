import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

const ROWS_A_GROUP = 100_000
const FIRST_DAY = 16_436
const FIRST_INSTANT = 1_420_070_400_000_000n
const CITIES = ['Besançon', 'Orléans', 'Saint-Étienne', 'Paris', 'Nîmes', 'Brest', 'Lyon']

type Value = string | bigint | number | boolean | null

interface Column {
  readonly name: string
  readonly type: Omit<SchemaElement, 'name'>
  readonly value: (row: number) => Value
}

const TEXT: Column['type'] = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
}
const WHOLE: Column['type'] = { type: 'INT64' }

/** Eleven columns of the types that tables have, some of them with few words and some with many. */
const COLUMNS: readonly Column[] = [
  { name: 'numero', type: WHOLE, value: (row) => BigInt(row * 7 + 1_000_000) },
  { name: 'nom', type: TEXT, value: (row) => `Client numéro ${row % 5000}` },
  { name: 'ville', type: TEXT, value: (row) => CITIES[row % CITIES.length]! },
  {
    name: 'naissance',
    type: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (row) => (row % 20 === 0 ? null : FIRST_DAY - (row % 20_000)),
  },
  {
    name: 'montant',
    type: {
      type: 'INT64',
      converted_type: 'DECIMAL',
      precision: 12,
      scale: 2,
      logical_type: { type: 'DECIMAL', precision: 12, scale: 2 },
    },
    value: (row) => BigInt((row * 7919) % 5_000_000),
  },
  {
    name: 'vu_le',
    type: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    value: (row) => FIRST_INSTANT + BigInt((row * 104_729) % 315_000_000) * 1_000_000n,
  },
  { name: 'actif', type: { type: 'BOOLEAN' }, value: (row) => row % 3 === 0 },
  {
    name: 'commentaire',
    type: TEXT,
    value: (row) => (row % 8 === 0 ? null : `dossier ${row}, à rappeler`),
  },
  {
    name: 'code_postal',
    type: TEXT,
    value: (row) => String(1000 + (row % 94_000)).padStart(5, '0'),
  },
  { name: 'quantite', type: WHOLE, value: (row) => (row % 33 === 0 ? null : BigInt(row % 500)) },
  { name: 'e_mail', type: TEXT, value: (row) => `client.${row % 100_000}@example.test` },
]

/** The same rows make the same cells, compressed as most programs do it. */
export async function writeParquetFile(path: string, rows: number): Promise<void> {
  const out = createWriteStream(path)
  const bytes = new ByteWriter()
  const root = { name: 'table', num_children: COLUMNS.length }
  const schema = COLUMNS.map(({ name, type }): SchemaElement => {
    return { name, repetition_type: 'OPTIONAL', ...type }
  })
  const file = new ParquetWriter({ writer: bytes, schema: [root, ...schema] })
  const passOn = async () => {
    const chunk = Buffer.from(bytes.getBytes())
    bytes.index = 0
    if (!out.write(chunk)) await once(out, 'drain')
  }
  for (let from = 0; from < rows; from += ROWS_A_GROUP) {
    const count = Math.min(ROWS_A_GROUP, rows - from)
    const columnData = COLUMNS.map(({ name, value }) => {
      return { name, data: Array.from({ length: count }, (_, at) => value(from + at)) }
    })
    await file.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    await passOn()
  }
  await file.finish()
  await passOn()
  out.end()
  await finished(out)
}

export const PARQUET_COLUMNS = COLUMNS.length
