import { badFile, type BadFile, EMPTY, TOO_LARGE } from './bad-file.ts'

const tells = ['line', 'offset'] as const
const says = /^Malformed JSON on line \d+/
const DEEP = 100_000

/** Every kind of token, of white space and of nesting. */
const WHOLE = `[ {"a":"x\\u00e9\\ud83d\\ude00\\n","b":-1.5e+3,"c":[true,false,null],\n"d" : {"k":{}}},{"a":0} ]`
const cuts = () =>
  Array.from({ length: WHOLE.length - 1 }, (_, at) =>
    badFile(`cut after ${WHOLE.slice(0, at + 1)}`, WHOLE.slice(0, at + 1), { says, tells }),
  )

const broken: Readonly<Record<string, string>> = {
  'a comma before the end': '[{"a":1,}]',
  'a comma behind the last row': '[{"a":1},]',
  'two commas': '[{"a":1},,{"a":2}]',
  'no comma': '[{"a":1}{"a":2}]',
  'no colon': '[{"a" 1}]',
  'single quotes': "[{'a':1}]",
  'a key without quotes': '[{a:1}]',
  'a comment': '[{"a":1} /* one */]',
  'a number that is none': '[{"a":1},{"a":NaN}]',
  'a leading zero': '[{"a":1},{"a":012}]',
  'a fraction of nothing': '[{"a":1},{"a":1.}]',
  'a plus': '[{"a":1},{"a":+1}]',
  'an exponent of nothing': '[{"a":1},{"a":1e}]',
  'an unknown escape': '[{"a":1},{"a":"\\x41"}]',
  'half an escape': '[{"a":1},{"a":"\\u12"}]',
  'a line break in a text': '[{"a":1},{"a":"x\ny"}]',
  'another bracket': '[{"a":1}}',
  'a word that is none': '[{"a":1},{"a":nul}]',
  'something behind it': '[{"a":1}] and more',
  'another document behind it': '[{"a":1}]\n[{"a":2}]',
  'a broken line': '{"a":1}\n{"a":\n{"a":3}\n',
}

const nested: Readonly<Record<string, string>> = {
  arrays: '['.repeat(DEEP),
  'arrays in a cell': `[{"a":1},{"a":${'['.repeat(DEEP)}`,
  objects: '{"a":'.repeat(DEEP),
  'closed objects': `[{"a":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}]`,
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

/** Each answer says on which line, and at which byte where there is one that is wrong. */
export const brokenJson = (): BadFile[] => [
  ...cuts(),
  ...Object.entries(broken).map(([what, text]) => badFile(what, text, { says, tells })),
  ...Object.entries(nested).map(([what, text]) =>
    badFile(`${what} 100,000 deep`, text, { code: TOO_LARGE, says: /deep/, tells: ['line'] }),
  ),
  badFile('UTF-16 cut in half', utf16('[{"a":1},{"a":"é"}]').subarray(0, -1), {
    says: /holds bytes that are not utf-16le/,
    tells: ['line'],
  }),
  badFile('UTF-16 cut in a text', utf16('[{"a":1},{"a":"é').subarray(0, -2), { says, tells }),
  badFile('NUL in a text', '[{"a":1},{"a":"x\\u0000y"}]', { says: /NUL/ }),
  badFile('rows that are none', '[1,2,3]', { says: /No rows in this JSON/ }),
  badFile('a row that is none', '[{"a":1},2]', { says: /a row must be an object/, tells: ['row'] }),
  badFile('a path that cannot be kept', '{"\\u0000":{"\\ud800":[{"a":1}]},"\\udfff":[{"a":1}]}', {
    code: null,
    says: /./,
  }),
  badFile('an empty array', '[]', { code: EMPTY, says: /is empty/ }),
  badFile('rows without a key', '[{},{}]', { code: EMPTY, says: /no keys/ }),
]
