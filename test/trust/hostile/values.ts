import type { SeededRandom } from '../../support/seeded-random.ts'

const MEGABYTE = 'x'.repeat(1024 * 1024)

/** JSON texts that a field does not expect; written as text, since some have no value. */
const FIELD_TEXTS: readonly (readonly [name: string, text: string, weight: number])[] = [
  ['null', 'null', 3],
  ['an empty text', '""', 3],
  ['white space', '" \\t\\n "', 2],
  ['a number', '7', 3],
  ['a fraction', '0.1', 2],
  ['minus one', '-1', 2],
  ['minus zero', '-0', 1],
  ['past 2^53', '9007199254740993', 2],
  ['past int32', '2147483648', 2],
  ['infinity', '1e400', 2],
  ['true', 'true', 2],
  ['an array', '[]', 2],
  ['an array of arrays', '[[[]]]', 1],
  ['an object', '{}', 2],
  ['an object with __proto__', '{"__proto__":{"isAdmin":true}}', 2],
  ['one megabyte', `"${MEGABYTE}"`, 0.15],
  ['ten kilobytes', `"${'y'.repeat(10_240)}"`, 1],
  ['NUL', '"a\\u0000b"', 3],
  ['half a surrogate pair', '"a\\ud800b"', 2],
  ['the other half', '"\\udc00"', 1],
  ['quotes for SQL', '"\'; drop table users; --"', 2],
  ['a placeholder', '"$1 ?? :name ? %s {{7*7}} ${7}"', 2],
  ['wild cards', '"%_%\\\\"', 2],
  ['emoji', '"👩‍👩‍👧‍👦🏳️‍🌈"', 1],
  ['right to left', '"\\u202eabc\\u0645\\u0631"', 1],
  ['a line break and a header', '"a\\r\\nSet-Cookie: b=c"', 2],
  ['a path', '"../../../../etc/passwd"', 2],
  ['a uuid in braces', '"{6f9619ff-8b86-d011-b42d-00cf4fc964ff}"', 2],
  ['a uuid without lines', '"6f9619ff8b86d011b42d00cf4fc964ff"', 1],
  ['the nil uuid', '"00000000-0000-0000-0000-000000000000"', 1],
  ['an inner address', '"http://169.254.169.254/latest/meta-data"', 2],
  ['a script', '"<script>alert(1)</script>"', 1],
  ['combining marks', `"${'e' + '\u0301'.repeat(300)}"`, 1],
  ['300 Chinese characters', `"${'漢'.repeat(300)}"`, 1],
  ['constructor', '"constructor"', 1],
]

/** What stands in an address where a uuid, a number or a word should; percent-encoded already. */
export const ADDRESS_TEXTS: readonly string[] = [
  '',
  '%20',
  'null',
  'undefined',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  'a%00b',
  '%ff%fe',
  '%c0%ae',
  '%zz',
  '%',
  '%F0%9F%92%A9',
  '%27%3B%20drop%20table%20users%3B--',
  '%7B6f9619ff-8b86-d011-b42d-00cf4fc964ff%7D',
  '6f9619ff-8b86-d011-b42d-00cf4fc964f',
  '6F9619FF-8B86-D011-B42D-00CF4FC964FF',
  '00000000-0000-0000-0000-000000000000',
  '-1',
  '0',
  '1.5',
  '1e3',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999',
  'NaN',
  'Infinity',
  '%5B%5D',
  '__proto__',
  'constructor',
  'true',
  'x'.repeat(5000),
  '%25%5F',
  '%0d%0aSet-Cookie:%20a=b',
]

export function hostileText(random: SeededRandom): { name: string; text: string } {
  const total = FIELD_TEXTS.reduce((sum, [, , weight]) => sum + weight, 0)
  let left = random.fraction() * total
  for (const [name, text, weight] of FIELD_TEXTS) {
    left -= weight
    if (left <= 0) return { name, text }
  }
  return { name: 'null', text: 'null' }
}

/** Whole bodies that are no JSON object, or none that one may send. */
export const BROKEN_BODIES: readonly (readonly [name: string, body: Buffer])[] = (
  [
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['an empty array', '[]'],
    ['nothing', ''],
    ['white space', ' \n '],
    ['an open object', '{'],
    ['an open text', '{"name":"'],
    ['a comma too many', '{"name":"a",}'],
    ['two values', '{}{}'],
    ['NaN', '{"name":NaN}'],
    ['single quotes', "{'name':'a'}"],
    ['a comment', '{/**/"name":"a"}'],
    ['a raw control character', '{"name":"a\u0001b"}'],
    ['a raw NUL', '{"name":"a\0b"}'],
    ['a byte order mark', '\ufeff{"name":'],
    ['100,000 arrays', '['.repeat(100_000)],
    ['100,000 closed arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['an escape that ends early', '{"name":"\\u12"}'],
    ['a key twice', '{"name":"a","name":"b"}'],
    ['a key twice, escaped', '{"name":"a","n\\u0061me":"b"}'],
  ] as const
).map(([name, text]) => [name, Buffer.from(text)])

export const BROKEN_ENCODINGS: readonly (readonly [name: string, body: Buffer])[] = [
  ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
  ['Latin-1', Buffer.from('{"name":"é"}', 'latin1')],
  ['a cut character', Buffer.from([0x7b, 0x22, 0x6e, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d])],
  ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['surrogates in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['random bytes', Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 73 + 41) % 256))],
]
