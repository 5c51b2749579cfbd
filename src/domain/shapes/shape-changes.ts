import { isDeepStrictEqual } from 'node:util'

import {
  COMPARED_OF_COLUMN,
  COMPARED_OF_SHAPE,
  type FileShape,
  type ShapeColumn,
  type ShapeDifference,
} from '../../resources/shape.ts'

type Compared = Pick<FileShape, 'name' | 'columns' | 'left' | 'rules' | 'unknown' | 'missing'>

/** Of one version; more of them tell nobody more. */
const MOST_CHANGES = 100

/** What is another between two versions of a shape. A column is known by its name in SQL. */
export function changesBetween(before: Compared, after: Compared): readonly ShapeDifference[] {
  const was = bySql(before)
  const is = bySql(after)
  const others = after.columns.filter(({ column }) => !was.has(column))
  return [
    ...differing(COMPARED_OF_SHAPE, before, after).map((what) => ({ column: null, what })),
    ...before.columns
      .filter(({ column }) => !is.has(column))
      .map(({ name }) => ({ column: name, what: 'removed' as const })),
    ...others.map(({ name }) => ({ column: name, what: 'added' as const })),
    ...after.columns.flatMap((column) => {
      const earlier = was.get(column.column)
      return earlier === undefined ? [] : changesOf(earlier, column)
    }),
  ].slice(0, MOST_CHANGES)
}

const bySql = ({ columns }: Compared): ReadonlyMap<string, ShapeColumn> =>
  new Map(columns.map((column) => [column.column, column]))

const changesOf = (before: ShapeColumn, after: ShapeColumn): readonly ShapeDifference[] =>
  differing(COMPARED_OF_COLUMN, before, after).map((what) => ({
    column: after.name,
    what,
    ...(what === 'name' && { before: before.name }),
  }))

const differing = <Of, Name extends keyof Of>(
  names: readonly Name[],
  before: Of,
  after: Of,
): readonly Name[] => names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
