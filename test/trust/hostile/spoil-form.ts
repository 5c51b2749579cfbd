import type { Spoil } from './attack.ts'
import { part, putForm, wholesomeParts } from './form-parts.ts'

export const spoilForm: Spoil = (draft, operation, random) => {
  if (operation.streams.length === 0) return false
  const parts = wholesomeParts()
  const manglings: readonly (readonly [string, () => void])[] = [
    ['no end', () => putForm(draft, parts, '')],
    ['the file first', () => putForm(draft, parts.toReversed())],
    ['two files', () => putForm(draft, [...parts, parts.at(-1)!])],
    ['a field twice', () => putForm(draft, [parts[1]!, ...parts])],
    ['a field __proto__', () => putForm(draft, [part('name="__proto__"', 'x'), ...parts])],
    ['a nameless part', () => putForm(draft, [part('', 'x'), ...parts])],
    [
      'a hundred fields',
      () =>
        putForm(draft, [
          ...Array.from({ length: 100 }, (_, at) => part(`name="f${at}"`, 'x')),
          ...parts,
        ]),
    ],
    ['a field of a megabyte', () => putForm(draft, [part('name="name"', 'x'.repeat(1_100_000))])],
    [
      'a name with line breaks',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="file"; filename="a\r\nX-Evil: 1.csv"', 'a,b\n1,2'),
        ]),
    ],
    [
      'a name with a path',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="file"; filename="../../evil.csv"', 'a,b\n1,2'),
        ]),
    ],
    [
      'no bytes in the file',
      () => putForm(draft, [...parts.slice(0, 3), part('name="file"; filename="a.csv"', '')]),
    ],
    [
      'broken options',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="options"', '{"columns":{"__proto__":1}'),
          parts[3]!,
        ]),
    ],
    [
      'a deep options',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="options"', '['.repeat(60_000)),
          parts[3]!,
        ]),
    ],
    [
      'an empty table name',
      () => putForm(draft, [parts[0]!, parts[1]!, part('name="tableName"', ''), parts[3]!]),
    ],
    [
      'a table name that is SQL',
      () =>
        putForm(draft, [
          parts[0]!,
          parts[1]!,
          part('name="tableName"', 'a"; drop table users'),
          parts[3]!,
        ]),
    ],
    ['nothing at all', () => putForm(draft, [])],
    ['random bytes', () => putForm(draft, [Buffer.from([0, 255, 1, 254]).toString('latin1')])],
  ]
  const [what, mangle] = random.pick(manglings)
  mangle()
  draft.what = `a form with ${what}`
  return true
}
