import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const ROWS_AT_ONCE = 10_000

interface NarrowRows {
  readonly rows: number
  /** Of the first row's key. */
  readonly firstKey?: number
  /** One row in so many has another amount than the same row without this. */
  readonly changedEvery?: number
}

/** Short rows with a key, where it is their number that counts. */
export async function writeNarrowCsv(path: string, narrow: NarrowRows): Promise<void> {
  await pipeline(Readable.from(chunksOf(narrow)), createWriteStream(path))
}

function* chunksOf({ rows, firstKey = 1, changedEvery = 0 }: NarrowRows): Generator<string> {
  yield 'id,customer,amount\n'
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    let text = ''
    for (let row = from; row < Math.min(rows, from + ROWS_AT_ONCE); row++) {
      const key = firstKey + row
      const amount = changedEvery > 0 && row % changedEvery === 0 ? key + 0.5 : key + 0.25
      text += `${key},customer ${key % 9973},${amount}\n`
    }
    yield text
  }
}
