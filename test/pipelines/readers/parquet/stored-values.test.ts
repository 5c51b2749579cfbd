import { expect } from 'chai'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

import { isValue } from '../../../../pipelines/core/batch.ts'
import { parquetFormat } from '../../../../pipelines/readers/parquet/index.ts'
import { inChunks, openReading } from '../../../contracts/reader.ts'
import { useDatabase } from '../../../support/database.ts'
import { bytesOf, loadInto, rowsOf } from '../../engine/loading.ts'

type Value = string | bigint | number | boolean | Uint8Array | null
type Type = Omit<SchemaElement, 'name'>

const DAY_US = 86_400_000_000n
const decimal = (scale: number): Type => ({
  type: 'INT64',
  converted_type: 'DECIMAL',
  precision: 18,
  scale,
  logical_type: { type: 'DECIMAL', precision: 18, scale },
})
const timestamp = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC = true): Type => ({
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit },
})

/** Of each type what is common, what is at its ends, and what only its text can tell. */
const COLUMNS: Readonly<Record<string, readonly [Type, readonly Value[]]>> = {
  id: [{ type: 'INT64' }, []],
  yes: [{ type: 'BOOLEAN' }, [true, null, false]],
  small: [{ type: 'INT32' }, [0, -1, 2_147_483_647, -2_147_483_648, null]],
  unsigned: [
    { type: 'INT32', logical_type: { type: 'INTEGER', bitWidth: 32, isSigned: false } },
    [1, 4_294_967_295, 7, null],
  ],
  large: [{ type: 'INT64' }, [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, null]],
  day: [
    { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    [0, -1, 19_723, -719_162, 2_932_896, null],
  ],
  micros: [
    timestamp('MICROS'),
    [0n, -1n, 1_706_694_600_250_000n, -719_162n * DAY_US, 123_456n, null],
  ],
  millis: [timestamp('MILLIS'), [0n, -1n, 253_402_300_799_999n, 1_706_694_600_250n]],
  nanos: [timestamp('NANOS'), [0n, -1n, 1_706_694_600_250_000_999n, null]],
  clock: [timestamp('MICROS', false), [1_706_694_600_250_000n, -1n, null, 5n]],
  price: [decimal(2), [0n, 1250n, -5n, 999_999_999_999n, 10n ** 17n, -(10n ** 17n), 100n, null]],
  exact: [decimal(7), [0n, 1n, -1n, 12_345_678_901n, 10_000_000n]],
  whole: [decimal(0), [0n, 120_000n, -7n]],
  real: [{ type: 'DOUBLE' }, [0.1, -0, 12.5, -3, 1e300, 1 / 3, 1e-7, 123_456_789.1234, null, 0.3]],
  float: [{ type: 'FLOAT' }, [0.5, -2, null]],
  text: [
    { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ['é', '', ' ', null, 'x'.repeat(130), 'ü'.repeat(100), 'null', 'Saint-Étienne', '🎉'],
  ],
  word: [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, ['à', 'b', null]],
  bytes: [{ type: 'BYTE_ARRAY' }, [Uint8Array.of(0xc3), Uint8Array.of(0xa9), Buffer.from('é')]],
}

const ROWS = 400
const ROWS_A_GROUP = 60

async function file(): Promise<Buffer> {
  const writer = new ByteWriter()
  const columns = Object.entries(COLUMNS)
  const schema = columns.map(([name, [type]]): SchemaElement => {
    return { name, repetition_type: 'OPTIONAL', ...type }
  })
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'table', num_children: columns.length }, ...schema],
  })
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  const columnData = columns.map(([name, [, values]]) => {
    return {
      name,
      data: rows.map((row) => (name === 'id' ? BigInt(row) : values[row % values.length]!)),
    }
  })
  // One that nobody can store, with all that stands beside it.
  columnData.find(({ name }) => name === 'word')!.data[333] = 'NUL: \0'
  await parquet.write({ columnData, rowGroupSize: ROWS_A_GROUP })
  await parquet.finish()
  return Buffer.from(writer.getBytes())
}

describe('Values of Parquet in a table', () => {
  const database = useDatabase()

  it('are the same whether their texts are looked at or not', async () => {
    const content = await file()
    const load = async (nullValues: string[], timezone: string) => {
      const options = { onInvalid: 'skip', nullValues, timezone } as const
      const engine = { limits: { sampleRows: 10 } }
      const { counts } = await loadInto(database, bytesOf(content), {
        options,
        engine,
        target: { streams: 1 },
      })
      const texts = Object.keys(COLUMNS).map((name) => `${name}::text as ${name}`)
      const rows = await rowsOf(database, `select ${texts.join(', ')} from loaded order by _row`)
      // In UTC a time without a zone may be shown with it.
      const raw = `replace(raw, 'Z', '') as raw`
      const rejects = await rowsOf(database, `select "row", ${raw} from loaded_rejects order by 1`)
      return { counts, rows, rejects }
    }
    for (const zone of ['UTC', 'Europe/Paris']) {
      const asTexts = await load(['a value that names NULL makes the engine look at texts'], zone)
      const asValues = await load([], zone)
      for (const [at, row] of asValues.rows.entries()) expect(row).to.deep.equal(asTexts.rows[at])
      expect(asValues.rejects).to.deep.equal(asTexts.rejects)
      expect(asValues.counts).to.deep.equal(asTexts.counts)
      expect(asValues.counts).to.include({ loaded: ROWS - 1, rejected: 1 })
      expect(asValues.rows[65]).to.include({
        yes: 'false',
        large: null,
        real: '0.3333333333333333',
      })
    }
  })

  it('are in the cells of a reading that is asked for them, and are shown in the same way', async () => {
    const content = await file()
    const firstBatch = async (settled: boolean) => {
      const open = await openReading(parquetFormat, () => inChunks(content, 4096))
      try {
        if (settled) open.reading.settle?.(Object.keys(COLUMNS).map((name) => name !== 'clock'))
        const batch = (await open.next())!
        const rows = Array.from({ length: batch.rows }, (_, row) => open.reading.rawRow(batch, row))
        return { rows, carried: batch.kinds!.filter(isValue).length }
      } finally {
        await open.close()
      }
    }
    const [texts, values] = [await firstBatch(false), await firstBatch(true)]
    expect(values.rows).to.deep.equal(texts.rows)
    expect(texts.carried).to.equal(0)
    expect(values.carried).to.be.greaterThan(ROWS_A_GROUP * 8)
  })
})
