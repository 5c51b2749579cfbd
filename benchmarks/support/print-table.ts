/** Columns set flush left, numbers as they are given. */
export function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  for (const row of all) {
    const line = row.map((cell, column) => cell.padEnd(widths[column]!)).join('   ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}
