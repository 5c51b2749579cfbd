import type { LabelledSheet, SheetLabel } from './labelled-sheets.ts'
import type { SeenSheet } from './see-sheet.ts'

/** What is marked in a sheet: 1 where it is seen as labelled, a share for names, null where it is not told. */
const MARKS: Readonly<Record<string, (seen: SeenSheet, label: SheetLabel) => number | null>> = {
  delimiter: ({ delimiter }, label) =>
    delimiter === undefined || label.delimiter === undefined
      ? null
      : mark(delimiter === label.delimiter),
  'header rows': ({ header }, label) => mark(areSame(header, label.header)),
  'data begins': ({ firstRow }, label) => mark(firstRow === label.firstRow),
  'data ends': ({ lastRow }, label) =>
    lastRow === undefined ? null : mark(lastRow === label.lastRow),
  'column names': ({ columns }, label) => shareKept(columns, label.columns),
  titles: ({ titles }, label) =>
    titles === undefined ? null : mark(areSame(titles, label.titles)),
  notes: ({ notes }, label) => (notes === undefined ? null : mark(areSame(notes, label.notes))),
}

type Mark = string

export interface MarkedSheet {
  readonly sheet: LabelledSheet
  readonly marks: Readonly<Record<Mark, number | null>>
}

export const MARK_NAMES: readonly Mark[] = Object.keys(MARKS)

export function markSheet(sheet: LabelledSheet, seen: SeenSheet): MarkedSheet {
  const marks = Object.entries(MARKS).map(([name, marked]) => [name, marked(seen, sheet.label)])
  return { sheet, marks: Object.fromEntries(marks) as MarkedSheet['marks'] }
}

/** In per cent of the sheets for which it is told; null where it is told for none. */
export function accuracy(marked: readonly MarkedSheet[], name: Mark): number | null {
  const told = marked.flatMap(({ marks }) => marks[name] ?? [])
  return told.length === 0 ? null : (100 * told.reduce((sum, one) => sum + one, 0)) / told.length
}

const mark = (isRight: boolean) => (isRight ? 1 : 0)

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

function shareKept(found: readonly string[], wanted: readonly string[]): number {
  const names = wanted.map((name) => name.trim()).filter((name) => name !== '')
  const left = found.map((name) => name.trim())
  const kept = names.filter((name) => {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
  return names.length === 0 ? 1 : kept.length / names.length
}
