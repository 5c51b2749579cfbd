import { execFile } from 'node:child_process'

import { expect } from 'chai'

import { parquetFormat } from '../../../../pipelines/readers/parquet/index.ts'
import { inChunks, readTable } from '../../../contracts/reader.ts'
import { refusalOf } from '../../engine/loading.ts'

/** Lists in lists, each of which says that it has 33,554,431 elements. */
function fileOf(lists: number): Buffer {
  const list = Buffer.from([0xf9, 0xff, 0xff, 0xff, 0x0f])
  const footer = Buffer.concat([Buffer.of(0x19), ...Array<Buffer>(lists).fill(list)])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')])
}

const READ_BY_HYPARQUET = `
  import { parquetMetadata } from 'hyparquet'
  parquetMetadata(new Uint8Array(Buffer.from(process.argv[1], 'base64')).buffer)`

/** What became of a process that reads the footer with hyparquet, in a heap of 256 MiB. */
function endOf(file: Buffer): Promise<string> {
  const code = [`--max-old-space-size=256`, '--input-type=module', '-e', READ_BY_HYPARQUET]
  return new Promise((resolve) => {
    execFile(process.execPath, [...code, file.toString('base64')], (error, _, said) => {
      resolve(error === null ? 'well' : said)
    })
  })
}

describe('A footer of Parquet whose lists are longer than the file', () => {
  const file = fileOf(4)

  it(`is refused by its first list, with ${file.length} bytes in all`, async () => {
    const { problem, message } = await refusalOf(
      readTable(parquetFormat, () => inChunks(file, 1024)),
    )
    expect(problem.kind).to.equal('structure')
    expect(message).to.match(/damaged \(its footer\)/)
  })

  it('ends a process that reads it with hyparquet, so its metadata is read by our own', async () => {
    expect(await endOf(file)).to.match(/heap out of memory/)
  })
})
