import { gzipSync } from 'node:zlib'

import { MiB } from '../../../pipelines/index.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { badFile, type BadFile, CELLS, OPTIONS, repeated, TOO_LARGE } from './bad-file.ts'
import { mixed } from './noise.ts'

const taken = { code: null, says: /./ } as const

/** Small or well-formed, and made to take for ever. */
export const costlyFiles = (): BadFile[] => [
  badFile('a number of 900 KB in a sheet', () => inCell(`><v>${'1'.repeat(900_000)}x</v>`), taken),
  badFile(
    'half a million escapes in a cell',
    () => inCell(` t="inlineStr"><is><t>${escapes(500_000)}</t></is>`),
    taken,
  ),
  badFile('line breaks by the million, said to be JSON', gzipSync(`x${'\n'.repeat(4_000_000)}`), {
    options: { format: 'json' },
    code: OPTIONS,
    says: /says json, but the content is of the format csv/,
  }),
  badFile('a header of 20 MB', repeated('a,', Buffer.alloc(MiB, 'Ab'), 20, '\n1,2\n'), {
    code: TOO_LARGE,
    says: /headers are longer than/,
  }),
  badFile('an object of 400,000 members', () => members(400_000), {
    code: TOO_LARGE,
    says: /more than 50000 members/,
    tells: ['row', 'line'],
  }),
  badFile(
    'many dates of 100 KB',
    repeated('d\n', Buffer.from(`${'31/01/'.repeat(17_000)}\n`), 40, ''),
    {
      options: { columns: [{ name: 'd', type: 'date' }] },
      code: CELLS,
      says: /^Invalid date format/,
    },
  ),
]

function inCell(cell: string): Buffer[] {
  return [rawWorkbook({ sheets: [{ rows: `${textRow('a')}<row><c${cell}</c></row>` }] })]
}

/** As Excel writes what XML cannot hold. */
function escapes(count: number): string {
  const codes = Array.from({ length: count }, (_, at) => 0x40 + (mixed(at) >>> 27))
  return codes.map((code) => `_x00${code.toString(16)}_`).join('')
}

function* members(count: number): Generator<Buffer> {
  const some = 10_000
  yield Buffer.from('[{"a":1},{"a":{')
  for (let from = 0; from < count; from += some) {
    const keys = Array.from({ length: some }, (_, at) => `"${mixed(from + at)}":0,`)
    yield Buffer.from(keys.join(''))
  }
  yield Buffer.from('"z":0}}]')
}
