import { MiB } from '../../../pipelines/index.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { mixed } from '../input/noise.ts'
import { type Assailant, fileForm } from './assailant.ts'

/** Loads a table of the account's own, and tells its address. */
export async function loadTable(
  assailant: Assailant,
  content: Iterable<Buffer>,
  options: object = {},
): Promise<string> {
  const fields = {
    source: 'file',
    name: 'Assault',
    tableName: uniqueTable(),
    options: JSON.stringify({ format: 'csv', ...options }),
  }
  const made = await assailant.ask('/sources', fileForm(fields, 'a.csv', content))
  if (made?.status !== 201) throw new Error(`The table was not made: ${made?.text}`)
  return `/sources/${(JSON.parse(made.text) as { uuid: string }).uuid}`
}

export function* rowsOfRejects(count: number, bytes: number): Generator<Buffer> {
  yield Buffer.from('a;b\n')
  const cell = Buffer.alloc(bytes, 'z')
  for (let row = 0; row < count; row++) yield Buffer.concat([Buffer.from(`no${row};`), cell, LINE])
}

/** Each is six times as long in its second half as JSON. */
export function* wideRows(count: number): Generator<Buffer> {
  yield Buffer.from('a;b\n')
  const cell = Buffer.alloc(MiB, 'y').fill('\u0001', MiB / 2)
  for (let row = 0; row < count; row++) yield Buffer.concat([Buffer.from(`${row};`), cell, LINE])
}

const LINE = Buffer.from('\n')
const ROWS_AT_ONCE = 10_000

export function* deepRows(count: number): Generator<Buffer> {
  yield Buffer.from('a;b\n')
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const rows = Array.from(
      { length: Math.min(ROWS_AT_ONCE, count - from) },
      (_, at) => `${from + at};t${mixed(from + at)}\n`,
    )
    yield Buffer.from(rows.join(''))
  }
}
