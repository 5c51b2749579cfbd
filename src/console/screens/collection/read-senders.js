const COLUMNS = ['key', 'name', 'email', 'language']

/**
 * Senders as people paste them: a line each, of key, name, address and perhaps a language, between
 * semicolons, commas or tabs. A line of headers is passed over.
 */
export function readSenders(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.includes('@'))
    .map((line) => {
      const delimiter = ['\t', ';', ','].find((one) => line.includes(one)) ?? ';'
      const cells = line.split(delimiter).map((cell) => cell.trim())
      return Object.fromEntries(
        COLUMNS.map((name, at) => [name, cells[at] ?? '']).filter(
          ([name, value]) => name !== 'language' || value !== '',
        ),
      )
    })
}

export const readLines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
