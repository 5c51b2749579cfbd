import type { ClientBase } from 'pg'

import type { ColumnPlan, CopiedRows, TargetColumns, Warning } from '../../../pipelines/index.ts'
import type { Answers } from '../../domain/shapes/expect.ts'
import { emptyColumn } from '../../domain/shapes/shape-columns.ts'
import { refuseQuestions } from '../../domain/sources/expect-columns.ts'
import { expectationOfShape } from '../../stack/fill/target-columns.ts'
import { type CheckedAgainst, refuseBroken, rulesOverRows } from '../../stack/judge-checked.ts'
import type { StoredColumn } from '../../stack/table/stored-column.ts'
import { lookedInto, readShape } from '../shape-file.ts'

/** What a shape asks of a table and of the rows that come into it. */
export interface ShapedTable {
  /** `held`: the columns of the table that rows are added to; null: they make one. */
  expect(held: readonly StoredColumn[] | null): TargetColumns
  /** The columns that the file does not have: the table has them all the same. */
  absent(sent: readonly ColumnPlan[]): StoredColumn[]
  /** Whether rules are about all rows at once. */
  readonly judges: boolean
  judge(
    client: ClientBase,
    coming: CopiedRows,
    into: CheckedAgainst['into'],
  ): Promise<readonly Warning[]>
}

/** Reads the shape before the database is asked for what its rules look into. */
export async function readShapedTable(
  path: string,
  given: Answers,
): Promise<(client: ClientBase) => Promise<ShapedTable>> {
  const shape = await readShape(path)
  const expectationOf = (held: readonly StoredColumn[] | null) =>
    expectationOfShape({ shape, given }, held)
  return async (client) => {
    const enterpriseId = await lookedInto(shape)(client)
    return {
      expect: (held) => ({
        kind: 'expected',
        expectation: expectationOf(held),
        admit: refuseQuestions,
      }),
      absent(columns) {
        const sent = new Set(columns.map(({ column }) => column))
        return shape.columns.map(emptyColumn).filter(({ column }) => !sent.has(column))
      },
      judges: rulesOverRows(expectationOf(null)).length > 0,
      judge: (connected, coming, into) =>
        refuseBroken(
          connected,
          { enterpriseId, expectation: expectationOf(into?.table.columns ?? null), into },
          coming,
        ),
    }
  }
}
