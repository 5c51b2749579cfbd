import type { Table } from '../report/describe-case.ts'

/** Words flush left, numbers flush right. */
export function printTable({ titles, words, rows }: Table): void {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  for (const row of all) {
    const line = row
      .map((cell, column) =>
        column < words ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('   ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}
