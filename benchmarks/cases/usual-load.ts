import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { parse } from 'csv-parse'
import { from } from 'pg-copy-streams'

import { createPool } from '../../src/db/pool.ts'
import { MESSY_COLUMNS } from '../generators/messy-csv.ts'
import { printMeasured } from '../support/measure.ts'

// The same messy file as most people load it: csv-parse, a function per value, COPY as text.
const [path, table, url] = process.argv.slice(2) as [string, string, string]

const PLACEHOLDERS = new Set(['', 'null', 'undefined', '0', '01/01/1970', '30/12/1899'])

function day(value: string): string | null {
  const text = value.trim()
  if (PLACEHOLDERS.has(text)) return null
  const [date, time] = text.split(' ')
  const [dayOfMonth, month, year] = date!.split('/')
  return `${year}-${month}-${dayOfMonth}${time === undefined ? '' : ` ${time}+00`}`
}

const CONVERT: Readonly<Record<string, (value: string) => string | null>> = {
  date: day,
  timestamptz: day,
  numeric: (value) => value.replaceAll(/\s/g, '').replace(',', '.') || null,
  bigint: (value) => value.trim() || null,
  boolean: (value) => (value === '' ? null : value === 'oui' ? 't' : 'f'),
  text: (value) => (value.trim() === '' ? null : value),
}

function copyText(value: string | null): string {
  if (value === null) return '\\N'
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
}

const began = performance.now()
const pool = createPool(url, { max: 1 })
const client = await pool.connect()
await pipeline(
  createReadStream(path),
  parse({ delimiter: ';', columns: true }),
  new Transform({
    writableObjectMode: true,
    transform(record: Record<string, string>, _, done) {
      const cells = MESSY_COLUMNS.map(({ header, sqlType }) =>
        copyText(CONVERT[sqlType]!(record[header]!)),
      )
      done(null, `${cells.join('\t')}\n`)
    },
  }),
  client.query(from(`copy ${table} from stdin`)),
)
client.release()
await pool.end()
printMeasured(began)
