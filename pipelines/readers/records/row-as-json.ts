import { type Batch, CellKind, cellText } from '../../core/batch.ts'

/** One row as canonical JSON, under the names of its columns; what has no value is left out. */
export function rowAsJson(batch: Batch, row: number, names: readonly string[]): string {
  const values = new Map<string, string>()
  for (let column = 0; column < batch.width; column++) {
    const text = cellText(batch, row, column)
    if (text === null) continue
    const isText = batch.kinds?.[row * batch.width + column] === CellKind.text
    values.set(names[column]!, isText ? JSON.stringify(text) : text)
  }
  // The default order of sort is that of UTF-16 code units.
  const members = [...values.keys()]
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${values.get(name)!}`)
  return `{${members.join(',')}}`
}
