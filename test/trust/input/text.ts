import { MiB } from '../../../pipelines/index.ts'
import { badFile, type BadFile, CELLS, EMPTY, OPTIONS, repeated, TOO_LARGE } from './bad-file.ts'

const tells = ['line'] as const
const never = /a quote is opened and never closed/
const fields = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',')
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const bigEndian = (bytes: Buffer) => Buffer.from(bytes).swap16()
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const otherBytes = /holds bytes that are not utf-/i
const rows = Buffer.from('some text,1234,more of it\n'.repeat(Math.floor(MiB / 26)))

/** Delimited text; each answer says on which line. */
export const brokenText = (): BadFile[] => [
  badFile('a quote open in the header', 'a,"b\n1,2\n3,4\n', { says: never, tells }),
  badFile('a quote open in the first row', 'a,b\n"1,2\n3,4\n', { says: never, tells }),
  badFile('a quote open in the last row', 'a,b\n1,2\n3,"4', { says: never, tells }),
  badFile('a quote open at the very end', 'a,b\n1,2\n3,"', { says: never, tells }),
  badFile('a quote open with another delimiter', 'a||b\n1||2\n3||"4\n5||6\n', {
    options: { delimiter: '||' },
    says: never,
    tells,
  }),
  badFile('a quote open for 50 MB', repeated('a,b,c\n1,2,3\n4,5,"', rows, 50, ''), {
    says: never,
    tells,
  }),
  badFile('too few fields', 'a,b,c\n1,2,3\n4,5\n', { says: /Row 2 \(line 3\): 2 fields/, tells }),
  badFile('too many fields', 'a,b\n1,2\n3,4,5\n', { says: /Row 2 \(line 3\): 3 fields/, tells }),
  badFile('one column too many', `${fields(1591)}\n${fields(1591)}\n`, {
    code: TOO_LARGE,
    says: /1591 columns/,
    tells,
  }),
  badFile('UTF-16 cut in half', utf16('a,b\n1,é\n').subarray(0, -1), { says: otherBytes, tells }),
  badFile('UTF-16 of the other order cut in half', bigEndian(utf16('a,b\n1,é\n')).subarray(0, -1), {
    says: otherBytes,
    tells,
  }),
  badFile('UTF-16 cut in a character', utf16('a,b\n1,😀').subarray(0, -2), {
    says: otherBytes,
    tells,
  }),
  badFile('half a character in UTF-16', utf16('a,b\n1,\ud83d\n2,3\n'), { says: otherBytes, tells }),
  badFile('other bytes behind a mark', latin1('\xef\xbb\xbfa,b\n1,\xe9t\xe9\n'), {
    says: otherBytes,
    tells,
  }),
  badFile('other bytes than was said', latin1('a,b\n1,\xe9t\xe9\n'), {
    options: { encoding: 'utf-8' },
    says: otherBytes,
    tells,
  }),
  badFile('a NUL in a cell', 'a,b\n1,2\n3,x\0y\n', { code: CELLS, says: /U\+0000/ }),
  badFile('a NUL in a header', 'a,b\0\n1,2\n', { says: /NUL/ }),
  badFile('a header row behind the end', 'a,b\n1,2\n', {
    options: { headerRow: 9 },
    code: OPTIONS,
    says: /ends before row 9/,
  }),
  badFile('not a byte', '', { code: EMPTY, says: /empty/ }),
  badFile('a mark and nothing else', '\ufeff', { code: EMPTY, says: /empty|only white space/ }),
  badFile('line breaks and nothing else', '\n'.repeat(100_000), {
    code: EMPTY,
    says: /empty|only white space/,
  }),
]
