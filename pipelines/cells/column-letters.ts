/** The name of a column in spreadsheets, counted from 0: `A` … `Z`, `AA` …. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((left - 1) % 26)) + letters
  }
  return letters
}
