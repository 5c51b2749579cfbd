import { type Batch, CellKind, cellText } from '../../core/batch.ts'

/** One row as canonical JSON, keyed by the names of its columns, without empty values. */
export function rowAsJson(batch: Batch, row: number, names: readonly string[]): string {
  const values = new Map<string, string>()
  for (let column = 0; column < batch.width; column++) {
    const text = cellText(batch, row, column)
    if (text === null) continue
    const isText = batch.kinds?.[row * batch.width + column] === CellKind.text
    values.set(names[column]!, isText ? JSON.stringify(text) : text)
  }
  // Sorts by UTF-16 code units, the default order.
  const members = [...values.keys()]
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${values.get(name)!}`)
  return `{${members.join(',')}}`
}
