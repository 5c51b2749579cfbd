import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import type { ByteSource } from '../../../../pipelines/core/source.ts'
import { excelFormat } from '../../../../pipelines/readers/excel/index.ts'
import { openSource } from '../../../contracts/reader.ts'
import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { withFolder } from '../../../support/workbooks/read-table.ts'
import { turnsDuring } from '../../../support/turns.ts'

const workbook = rawWorkbook({
  sheets: [
    {
      rows:
        textRow('a') +
        Array.from({ length: 50_000 }, (_, row) => `<row><c t="s"><v>${row}</v></c></row>`).join(
          '',
        ),
    },
  ],
  sharedStrings: Array.from({ length: 50_000 }, (_, row) => `<si><t>texte ${row}</t></si>`).join(
    '',
  ),
})

const streamed = (bytes: Buffer): ByteSource => ({
  kind: 'bytes',
  open: async () =>
    Readable.from([bytes.subarray(0, 1), bytes.subarray(1, 1000), bytes.subarray(1000)]),
})

function open(source: ByteSource, tempDir: string, signal = new AbortController().signal) {
  const limits = { sharedStringsBytes: 64 * 1024 }
  return openSource(excelFormat, source, { limits, tempDir, signal })
}

async function* breaksOff(): AsyncGenerator<Buffer> {
  yield workbook.subarray(0, 5000)
  throw new Error('the client hung up')
}

/** Descriptors this process holds on files that are in the folder, or were. */
async function descriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length
}

describe('a workbook that comes as a stream', () => {
  it('is read to its end, and leaves neither file nor descriptor', async () => {
    await withFolder(async (folder) => {
      const before = await descriptors()
      const reading = await open(streamed(workbook), folder)
      let rows = 0
      let batches = 0
      for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
        rows += batch.rows
        batches += 1
      }
      expect(rows).to.equal(50_000)
      expect(batches).to.be.above(1)
      expect(reading.bytesRead).to.equal(workbook.length)
      await reading.close()
      await reading.close()
      expect(await readdir(folder)).to.deep.equal([])
      expect(await descriptors()).to.be.at.most(before)
    })
  })

  it('can be left half way', async () => {
    await withFolder(async (folder) => {
      const before = await descriptors()
      const reading = await open(streamed(workbook), folder)
      await reading.next()
      await reading.close()
      expect(await readdir(folder)).to.deep.equal([])
      expect(await descriptors()).to.be.at.most(before)
    })
  })

  it('leaves nothing when it breaks off, is damaged or is called off', async () => {
    await withFolder(async (folder) => {
      const before = await descriptors()
      const breaking: ByteSource = {
        kind: 'bytes',
        open: async () => Readable.from(breaksOff()),
      }
      const failures = [
        open(breaking, folder),
        open(streamed(workbook.subarray(0, 5000)), folder),
        open(streamed(workbook), folder, AbortSignal.abort()),
      ]
      const outcomes = await Promise.allSettled(failures)
      expect(outcomes.map(({ status }) => status)).to.deep.equal([
        'rejected',
        'rejected',
        'rejected',
      ])
      expect(await readdir(folder)).to.deep.equal([])
      expect(await descriptors()).to.be.at.most(before)
    })
  })

  it('lets others have their turn all along', async () => {
    await withFolder(async (folder) => {
      let batches = 0
      const turns = await turnsDuring(async () => {
        const reading = await open(streamed(workbook), folder)
        while ((await reading.next()) !== null) batches++
        await reading.close()
      })
      // How many more there are is a matter of how fast the disk and the threads answer.
      expect(turns).to.be.at.least(batches)
    })
  })
})
