import { constants, deflateRawSync, gzipSync } from 'node:zlib'

import { MiB } from '../../../pipelines/index.ts'
import { rawEntries, sheetXml, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip, type ZipEntry } from '../../support/workbooks/zip-writer.ts'
import { badFile, type BadFile, MALFORMED, repeated, TOO_LARGE } from './bad-file.ts'
import { mixed } from './noise.ts'

const PIECES = 400
const SHEET = 'xl/worksheets/sheet1.xml'
const STRINGS = 'xl/sharedStrings.xml'
const INLINE = [' t="inlineStr"><is><t>', '</t></is>'] as const
const VALUE = ['><v>', '</v>'] as const

const cell = { code: TOO_LARGE, says: /longer than 67108864 bytes/ } as const
const row = { code: TOO_LARGE, says: /larger than \d+ bytes|first \d+ bytes/ } as const
const bomb = { code: TOO_LARGE, says: /longer than 67108864 bytes|expands to more/ } as const

/** One cell of 400 MB in those guises that differ most. */
export function quickLargeCells(): BadFile[] {
  const plain = Buffer.alloc(MiB, 'x')
  return [
    badFile('in CSV', repeated('a,b\n1,2\n3,', plain, PIECES, '\n'), cell),
    badFile('in JSON', repeated('[{"a":1},{"a":"', plain, PIECES, '"}]'), row),
    badFile('in gzip, as a bomb', gzipped('a,b\n1,2\n3,', plain), bomb),
    badFile('in a sheet', inSheet(INLINE, diluted()), cell),
    badFile('among the shared strings', inStrings(diluted()), cell),
  ]
}

/** ... and in the others. */
export function otherLargeCells(): BadFile[] {
  const plain = Buffer.alloc(MiB, 'x')
  const texts = Buffer.from('"x",'.repeat(MiB / 4))
  return [
    badFile('in quotes', repeated('a,b\n1,2\n3,"', plain, PIECES, '"\n'), {
      code: MALFORMED,
      says: /not closed within 67108864 bytes/,
      tells: ['line'],
    }),
    badFile('in a CSV header', repeated('a,', plain, PIECES, '\n1,2\n'), cell),
    badFile('behind a long delimiter', repeated('a||b\n1||', plain, PIECES, '\n'), {
      options: { delimiter: '||' },
      code: TOO_LARGE,
      says: /longer than \d+ bytes/,
    }),
    badFile('as a JSON key', repeated('[{"a":1},{"', plain, PIECES, '":1}]'), row),
    badFile('as a JSON array', repeated('[{"a":1},{"a":[', texts, PIECES, '1]}]'), cell),
    badFile('at the beginning of JSON', repeated('{"a":"', plain, PIECES, '"}'), row),
    badFile('in gzip, no bomb by its ratio', gzipped('a,b\n1,2\n3,', diluted()), cell),
    badFile('in JSON in gzip', gzipped('[{"a":1},{"a":"', diluted()), row),
    badFile('in a zip', () => [zip([longEntry('a.csv', 'a,b\n1,', '\n', diluted())])], cell),
    badFile('as a number in a sheet', inSheet(VALUE, diluted()), cell),
    badFile('in a sheet, as references to characters', inSheet(INLINE, references()), cell),
  ]
}

/** Text that is packed to a sixtieth of its length. */
function diluted(): Buffer {
  const text = Buffer.alloc(MiB, 'x')
  for (let at = 0; at < MiB; at += 600) text.write(mixed(at).toString(36), at)
  return text
}

function references(): Buffer {
  const names = Array.from({ length: 200_000 }, (_, at) => `&#${97 + (mixed(at) >>> 28)};`)
  return Buffer.from(names.join(''))
}

const gzipped = (start: string, piece: Buffer) => () => [
  gzipSync(start),
  ...Array<Buffer>(PIECES).fill(gzipSync(piece)),
]

const inSheet =
  ([before, after]: readonly [string, string], piece: Buffer) =>
  () => {
    const [start = '', end = ''] = sheetXml('\0').split('\0')
    const head = `${start}${textRow('a')}<row><c${before}`
    return workbookWith(longEntry(SHEET, head, `${after}</c></row>${end}`, piece))
  }

const inStrings = (piece: Buffer) => () =>
  workbookWith(longEntry(STRINGS, '<sst><si><t>', '</t></si></sst>', piece))

function workbookWith(entry: ZipEntry): Buffer[] {
  const rows = `${textRow('a')}<row><c t="s"><v>0</v></c></row>`
  const others = rawEntries({ sheets: [{ rows }] }).filter(({ name }) => name !== entry.name)
  return [zip([...others, entry])]
}

/** An entry that nobody ever holds unpacked: the same deflated piece over and over. */
function longEntry(name: string, start: string, end: string, piece: Buffer): ZipEntry {
  const deflated = (text: string | Buffer) =>
    deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  const pieces = Array<Buffer>(PIECES).fill(deflated(piece))
  return {
    name,
    content: '',
    size: start.length + PIECES * piece.length + end.length,
    deflated: Buffer.concat([deflated(start), ...pieces, deflateRawSync(end)]),
  }
}
