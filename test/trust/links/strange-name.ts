import type { SeededRandom } from '../../support/seeded-random.ts'

const PIECES = [
  '"',
  "'",
  '\\',
  '\r\n',
  'X-Evil: 1',
  ';',
  '%22',
  '%0d%0a',
  '*=',
  '\u202e',
  '\u0001',
  'e\u0301',
  'é',
  '漢字',
  '👩‍👩‍👧',
  '../',
  ' ',
  '\t',
  'filename=',
  '.csv',
  'a',
]
const MOST_PIECES = 12

/** What a header could be broken with, in any order. */
export function strangeName(random: SeededRandom): string {
  const pieces = Array.from({ length: random.integer(1, MOST_PIECES) }, () => random.pick(PIECES))
  return `${pieces.join('')}.csv`
}
