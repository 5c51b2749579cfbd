import { once } from 'node:events'

import { expect } from 'chai'
import { from as copyFrom } from 'pg-copy-streams'

import { CopyBuffer } from '../../../pipelines/encoders/copy-buffer.ts'
import { isRefused } from '../../../pipelines/cells/outcome.ts'
import { CellPresenter, createEncoder } from '../../../pipelines/transforms/cast.ts'
import type { ColumnDecision } from '../../../pipelines/encoders/column-decision.ts'
import { createValueContext } from '../../../pipelines/transforms/value-context.ts'
import { useDatabase } from '../../support/database.ts'
import { cell, columnOf, type Cell } from '../cells.ts'

/** Signature, flags and the length of an extension that there is not. */
const COPY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')

const given = true
const date = { type: 'date', given, dateFormat: 'DD/MM/YYYY', layout: null } as const
const number = {
  type: 'number',
  given,
  notation: 'point-decimal',
  settled: true,
  unit: '',
} as const

const COLUMNS: { decision: ColumnDecision; shown: string; values: (string | Cell)[] }[] = [
  {
    decision: { type: 'text', sqlType: 'text', given },
    shown: 'to_json(v)::text',
    values: ['a', ' é€😀 ', '"\\', 'x'.repeat(5000), '', '\u007f'],
  },
  {
    decision: { ...number, sqlType: 'bigint' },
    shown: 'v::text',
    values: ['0', '-1', '4294967296', '-4294967297', '999999999999999999', '-123456789012345678'],
  },
  {
    decision: { ...number, sqlType: 'numeric' },
    shown: 'v::text',
    values: [
      '0',
      '0.0',
      '-0.00',
      '1',
      '10',
      '10000',
      '100000000',
      '9999.9999',
      '-12345678.9',
      '0.1',
      '0.0001',
      '0.00001',
      '123456789012.5',
      '.5',
      '007.50',
      '1e20',
      '-1.5e-7',
      '1,234',
      '1234567890123456789012345678901234567890.000000000000000000012345',
      '1e131071',
      `${'1'.repeat(5000)}.${'2'.repeat(5000)}`,
    ],
  },
  {
    decision: { ...date, sqlType: 'date' },
    shown: 'to_json(v)::text',
    values: ['01/01/2000', '31/12/1999', '0001-01-01', '9999-12-31', '29/02/2024', '0', 'null'],
  },
  {
    decision: { ...date, sqlType: 'timestamptz' },
    shown: `to_json(to_char(v at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`,
    values: [
      '2000-01-01T00:00:00Z',
      '1999-12-31T23:59:59.999999Z',
      '31/01/2024 10:20',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.9999Z',
      '2024-07-01',
      '1950-06-15 12:00',
    ],
  },
  {
    decision: { type: 'boolean', sqlType: 'boolean', given },
    shown: 'v::text',
    values: ['oui', 'faux', 'YES', '0'],
  },
  {
    decision: { type: 'json', sqlType: 'jsonb', given },
    shown: 'v::text',
    values: [cell('json', '[1, "é", null]'), '12.50', '"a"', '{"a": {"b": [true]}}'],
  },
]

describe('COPY fields', () => {
  const db = useDatabase()

  for (const { decision, shown, values } of COLUMNS) {
    it(`of type ${decision.sqlType} come back from Postgres as previews show them`, async () => {
      const context = createValueContext({ timezone: 'Europe/Paris' }, null)
      const batch = columnOf(values)
      const presenter = new CellPresenter(decision, context)
      const previewed = values.map((_, row) => presenter.present(batch, row))

      const encoder = createEncoder(decision, context)
      const out = new CopyBuffer()
      values.forEach((_, row) => {
        out.int16(2)
        out.int8Field(row)
        expect(isRefused(encoder.encode(batch, row, out))).to.equal(false)
      })
      out.int16(-1)
      const client = await db.pool.connect()
      try {
        await client.query(
          `create temp table t (_row bigint, v ${decision.sqlType}) on commit preserve rows`,
        )
        const copy = client.query(copyFrom('copy t from stdin (format binary)'))
        copy.end(Buffer.concat([COPY_HEADER, out.bytes.subarray(0, out.length)]))
        await once(copy, 'finish')
        const { rows } = await client.query<{ v: string | null }>(
          `select ${shown} as v from t order by _row`,
        )
        expect(rows.map(({ v }) => v)).to.deep.equal(previewed)
      } finally {
        await client.query('drop table if exists t')
        client.release()
      }
    })
  }

  it('of local times are the instants that Postgres finds, also where clocks skip or repeat', async () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
    const times = [
      '2024-03-31 02:30:00',
      '2024-10-27 02:30:00',
      '2024-03-10 02:30:00',
      '2024-11-03 01:30:00',
      '2024-04-07 01:45:00',
      '2024-10-06 02:15:00',
      '2011-12-30 12:00:00',
      '1911-03-10 12:00:00',
    ]
    for (const timezone of zones) {
      const { rows } = await db.pool.query<{ v: Date }>(
        'select (t::timestamp at time zone $2) as v from unnest($1::text[]) with ordinality u(t, n) order by n',
        [times, timezone],
      )
      const presenter = new CellPresenter(
        { ...date, sqlType: 'timestamptz' },
        createValueContext({ timezone }, null),
      )
      const batch = columnOf(times)
      expect(times.map((_, row) => JSON.parse(presenter.present(batch, row)!))).to.deep.equal(
        rows.map(({ v }) => v.toISOString()),
      )
    }
  })
})
