import { DEFAULT_LIMITS, foldName, shownName, sqlNames } from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { collectionMessages } from './collection-messages.ts'

/** What the columns are called that say of each row who sent it, and for when. */
export interface GivenLabels {
  readonly sender?: string | undefined
  readonly period?: string | undefined
}

interface LabelColumns {
  /** Names in SQL; null: none was asked for. */
  readonly sender: string | null
  readonly period: string | null
  /** Those that the table lacks. */
  readonly added: readonly TableColumn[]
}

interface Known {
  readonly ofTable: readonly TableColumn[]
  readonly ofShape: readonly Pick<ShapeColumn, 'name' | 'column'>[]
}

/** A text column of the table is taken as it is; any other name makes a new one, if it is free. */
export function labelColumns({ sender, period }: GivenLabels, known: Known): LabelColumns {
  const senders = sender === undefined ? null : labelColumn('/labels/sender', sender.trim(), known)
  const { ofTable, ofShape } = known
  const periods =
    period === undefined
      ? null
      : labelColumn('/labels/period', period.trim(), {
          ofTable,
          ofShape: [...ofShape, ...(senders === null ? [] : [senders.column])],
        })
  if (senders && periods && senders.column.column === periods.column.column) {
    throw invalidField('/labels/period', collectionMessages.labelsAlike())
  }
  return {
    sender: senders?.column.column ?? null,
    period: periods?.column.column ?? null,
    added: [senders, periods].flatMap((label) => (label?.isNew ? [label.column] : [])),
  }
}

function labelColumn(
  pointer: string,
  name: string,
  { ofTable, ofShape }: Known,
): { readonly column: TableColumn; readonly isNew: boolean } {
  const there = ofTable.find((column) => column.name === name)
  if (there?.sqlType === 'text') return { column: there, isNew: false }
  const folded = foldName(name)
  const others = [...ofTable, ...ofShape]
  const taken = others.find((other) => foldName(other.name) === folded)
  if (taken) {
    throw invalidField(pointer, collectionMessages.labelTaken({ name: shownName(taken.name) }))
  }
  const names = others.map(({ column }) => column)
  const [column] = sqlNames([name], DEFAULT_LIMITS.columns, names)
  return { column: { name, column: column!, type: 'text', sqlType: 'text' }, isNew: true }
}
