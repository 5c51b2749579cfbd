import type { SqlType } from '../../pipelines/index.ts'
import type { ComparedStates, SideName } from './comparison.ts'
import { ROW } from './row-numbers.ts'
import { selectRows, typeIn, type TypedPiece } from './state-rows.ts'
import { commonType } from './stored-column.ts'

/** SQL that finds how two sides differ. */
export interface Difference {
  /** A table of pairs: the numbers of a row before and after, and how often the pair occurs. */
  readonly compared: string
  /** SQL that is true for pairs that differ. */
  readonly differs: string
  /** How many pairs are the same; null: they are not counted. */
  readonly same: string
  /** Whether the pairs show that the key does not identify rows. */
  readonly isFlawed: string
}

/** Where the rows of both sides are, without the places that they share. */
type ComparedPieces = Readonly<Record<SideName, readonly TypedPiece[]>>

/** A column by its header, and its name on both sides; null: that side does not have it. */
interface ComparedColumn {
  readonly before: string | null
  readonly after: string | null
  readonly as: string
  readonly sqlType: SqlType
}

function comparedColumns({ before, after }: ComparedStates): ComparedColumn[] {
  const headers = new Set([...before.columns, ...after.columns].map(({ name }) => name))
  return [...headers].map((header, at) => {
    const own = before.columns.find(({ name }) => name === header)
    const other = after.columns.find(({ name }) => name === header)
    const types = [
      ...(own ? [typeIn(before.pieces, own)] : []),
      ...(other ? [typeIn(after.pieces, other)] : []),
    ]
    return {
      before: own?.column ?? null,
      after: other?.column ?? null,
      as: `c${at}`,
      sqlType: types.reduce(commonType),
    }
  })
}

const rowsOf = (
  pieces: ComparedPieces,
  columns: readonly ComparedColumn[],
  side: SideName,
): string =>
  selectRows(
    pieces[side],
    columns.map(({ as, sqlType, ...names }) => ({ column: names[side], as, sqlType })),
  )

/**
 * Rows that are the same fall into one group without a key, all others into one group per key, so
 * a group of more than one pair reveals a repeated key. The empty table next to the join keeps
 * PostgreSQL from expecting as many groups as rows and from giving all of the work to one process.
 */
export function differentByKey(
  comparison: ComparedStates & { readonly key: string },
  pieces: ComparedPieces,
): Difference {
  const columns = comparedColumns(comparison)
  const own = comparison.before.columns.find(({ name }) => name === comparison.key)!
  const key = columns.find(({ before }) => before === own.column)!
  const differs = columns
    .filter((column) => column !== key)
    .map(({ as }) => `b.${as} is distinct from a.${as}`)
  const isDifferent = [`b.${ROW} is null`, `a.${ROW} is null`, ...differs].join(' or ')
  return {
    compared: `select key, min(before) as before, min(after) as after, count(*) as times,
        bool_or(before is null or after is null) as has_single
      from (
        select b.${ROW} as before, a.${ROW} as after,
               case when ${isDifferent} then coalesce(b.${key.as}, a.${key.as}) end as key
        from ${rowsOf(pieces, columns, 'before')} b
        full join ${rowsOf(pieces, columns, 'after')} a on b.${key.as} = a.${key.as}
        union all select null::bigint, null::bigint, null::${key.sqlType} where false) pairs
      group by key`,
    differs: 'key is not null',
    same: '(select coalesce(sum(times), 0)::bigint from compared where key is null)',
    isFlawed: `(select coalesce(bool_or(case when key is null then has_single else times > 1 end), false)
      from compared)`,
  }
}

/** One row stands for all that have the same content. */
export function differentByContent(comparison: ComparedStates, pieces: ComparedPieces): Difference {
  const columns = comparedColumns(comparison)
  const list = columns.map(({ as }) => as).join(', ')
  return {
    compared: `select case when more < 0 then before end as before,
             case when more > 0 then after end as after, abs(more) as times
      from (
        select min(${ROW}) filter (where not is_after) as before,
               min(${ROW}) filter (where is_after) as after,
               sum(case when is_after then 1 else -1 end) as more
        from (select *, false as is_after from ${rowsOf(pieces, columns, 'before')} b
              union all select *, true from ${rowsOf(pieces, columns, 'after')} a) both_sides
        group by ${list}) grouped
      where more <> 0`,
    differs: 'true',
    same: 'null',
    isFlawed: 'false',
  }
}
