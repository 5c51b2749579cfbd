import type { Pool } from 'pg'

import { foldName, type Expectation, type Mapping } from '../../../pipelines/index.ts'
import { selectionOf } from '../../resources/resource.ts'
import { type FileShape, shape } from '../../resources/shape.ts'
import type { Answers } from './learn.ts'

/** What a load of a source expects, and what the request says of its headers. */
export interface Expected {
  readonly shape: FileShape
  readonly given: Answers
  /** Whether what was given is to be remembered. */
  readonly remember: boolean
  readonly recall: Expectation['recall']
  /** May refuse how the headers met the columns before a row is loaded. */
  admit?(mapping: Mapping): void
}

export interface GivenMapping {
  readonly mapping?: Answers | undefined
  /** Default true. */
  readonly remember?: boolean | undefined
}

/** The shape of the source that has this table. */
export async function expectationOf(
  pool: Pool,
  sourceId: number,
  given: GivenMapping = {},
): Promise<Expected> {
  const { rows } = await pool.query<FileShape>(
    `select ${selectionOf(shape, 'sh')} from shapes sh
     where sh.id in (
       select coalesce(s.shape_id, own.id) from sources s join shapes own on own.source_id = s.id
       where s.id = $1)`,
    [sourceId],
  )
  const [found] = rows
  if (found === undefined) throw new Error(`The source ${sourceId} has no shape`)
  return expected(pool, found, given)
}

export const expected = (
  pool: Pool,
  found: FileShape,
  { mapping = {}, remember = true }: GivenMapping = {},
): Expected => ({ shape: found, given: mapping, remember, recall: recallFor(pool, found) })

/** What the other shapes of the enterprise remember of headers. */
function recallFor(
  pool: Pool,
  { id, enterpriseId }: FileShape,
): NonNullable<Expectation['recall']> {
  return async (headers) => {
    const folds = new Map(headers.map((header) => [header, foldName(header)]))
    const { rows } = await pool.query<{ name: string; alias: string; folded: string }>(
      `select distinct name, alias, folded from shape_aliases
       where enterprise_id = $1 and folded = any ($2) and shape_id <> $3`,
      [enterpriseId, [...new Set(folds.values())].filter((folded) => folded !== ''), id],
    )
    // As it is written, where somebody has written it so; else folded.
    return new Map(
      headers.map((header) => {
        const exact = rows.filter(({ alias }) => alias === header)
        const alike = rows.filter(({ folded }) => folded === folds.get(header))
        return [header, (exact.length > 0 ? exact : alike).map(({ name }) => name)]
      }),
    )
  }
}
