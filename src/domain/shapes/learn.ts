import { foldName } from '../../../pipelines/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { MOST_ALIASES } from './shape-columns.ts'

const LONGEST_ALIAS = 255

/** What people have said of the headers of a load: the column of each, or null: it is left out. */
export type Answers = Readonly<Record<string, string | null>>

type Memory = Pick<FileShape, 'columns' | 'left'>

/**
 * What a shape remembers of it. The last answer counts: a header stands for one column. The name of
 * another column is no alias, since names come before aliases, nor is what folds to its own name.
 */
export function learned({ columns, left }: Memory, answers: Answers): Memory {
  const said = Object.entries(answers)
  const byName = new Map(columns.map((column) => [column.name, column]))
  const bySql = new Map(columns.map((column) => [column.column, column]))
  const aliases = new Map<ShapeColumn, string[]>()
  for (const [header, name] of said) {
    const column = name === null ? undefined : (byName.get(name) ?? bySql.get(name))
    if (column === undefined || byName.has(header) || [...header].length > LONGEST_ALIAS) continue
    aliases.set(column, [...(aliases.get(column) ?? []), header])
  }
  const taken = new Set([...aliases.values()].flat())
  let room = MOST_ALIASES - columns.reduce((sum, column) => sum + column.aliases.length, 0)
  return {
    columns: columns.map((column) => {
      const kept = column.aliases.filter(
        (alias) => !taken.has(alias) || aliases.get(column)?.includes(alias),
      )
      const added = (aliases.get(column) ?? []).filter((alias) => isNew(alias, column, kept))
      const fitting = added.slice(0, Math.max(0, room))
      room -= fitting.length
      if (fitting.length === 0 && kept.length === column.aliases.length) return column
      return { ...column, aliases: [...kept, ...fitting] }
    }),
    left: [
      ...left.filter((header) => answers[header] === undefined || answers[header] === null),
      ...said
        .filter(([header, name]) => name === null && !left.includes(header))
        .map(([header]) => header)
        .filter((header) => [...header].length <= LONGEST_ALIAS),
    ].slice(-MOST_LEFT),
  }
}

/** Beyond it, the oldest are forgotten. */
const MOST_LEFT = 1600

const isNew = (alias: string, { name }: ShapeColumn, kept: readonly string[]): boolean =>
  !kept.includes(alias) && (foldName(alias) === '' || foldName(alias) !== foldName(name))
