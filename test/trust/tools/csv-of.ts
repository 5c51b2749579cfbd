/** A table all of whose rows carry its version: a mixture of two is seen at once. */
export function csvOf(version: string, rows: number): Buffer {
  const lines = ['id,version,amount,day,remark']
  for (let row = 1; row <= rows; row++) {
    const day = `2024-${String(1 + (row % 12)).padStart(2, '0')}-${String(1 + (row % 28)).padStart(2, '0')}`
    lines.push(`${row},${version},${row}.25,${day},"remark ${row}, with a comma"`)
  }
  return Buffer.from(`${lines.join('\n')}\n`)
}
