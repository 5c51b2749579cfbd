import type { ClientBase } from 'pg'

import { textTypes } from '../../db/type-parsers.ts'
import { shownText, type StoredColumn, toJsonText } from '../table/stored-column.ts'
import { quoteName } from '../../../pipelines/index.ts'
import { fromSample, type TableState } from './snapshot.ts'

export interface ColumnSummary {
  readonly counted: number
  readonly blank: number
  readonly distinct: number
  /** As JSON; `null` if the whole column is blank, or its values have no order. */
  readonly least: string
  readonly most: string
}

/** Longer texts are cut, since they are only meant to be looked at. */
const SHOWN_CHARACTERS = 200

/** Reads one column once: what it holds, and how much of it. */
export async function summariseColumn(
  client: ClientBase,
  state: TableState,
  column: StoredColumn,
  percent: number,
): Promise<ColumnSummary> {
  const stored = `stored.${quoteName(column.column)}`
  const [least, most] = edgesOf(column, stored)
  const shown = (name: string) => shownText({ column: name, sqlType: column.sqlType })
  const { rows } = await client.query<Record<string, string | null>>({
    text: `select counted, blank, "distinct", ${shown('least')} as least, ${shown('most')} as most
           from (select count(*) as counted, count(*) - count(${stored}) as blank,
                        count(distinct ${stored}) as "distinct", ${least} as least, ${most} as most
                 ${fromSample(state, percent)}) as edges`,
    types: textTypes,
  })
  const [found] = rows
  const write = toJsonText(column)
  return {
    counted: Number(found!['counted']),
    blank: Number(found!['blank']),
    distinct: Number(found!['distinct']),
    least: write(found!['least'] ?? null) ?? 'null',
    most: write(found!['most'] ?? null) ?? 'null',
  }
}

function edgesOf({ sqlType }: StoredColumn, stored: string): [least: string, most: string] {
  switch (sqlType) {
    case 'jsonb':
      return ['null::jsonb', 'null::jsonb']
    case 'boolean':
      return [`bool_and(${stored})`, `bool_or(${stored})`]
    case 'text':
      return [
        `left(min(${stored}), ${SHOWN_CHARACTERS})`,
        `left(max(${stored}), ${SHOWN_CHARACTERS})`,
      ]
    case 'bigint':
    case 'numeric':
    case 'date':
    case 'timestamptz':
      return [`min(${stored})`, `max(${stored})`]
  }
}
