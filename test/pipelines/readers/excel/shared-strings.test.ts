import { expect } from 'chai'

import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'
import { timesAsMuch } from '../../../support/processor-time.ts'

const COUNT = 60_000
const FEW_TIMES = 3

const texts = Array.from({ length: COUNT }, (_, index) =>
  index % 1000 === 7 ? `long ${'é'.repeat(30_000)}` : `texte ${index} ${'ü'.repeat(index % 50)}`,
)

/** Far apart and back again, so that no cache of pages holds the next one. */
const order = Array.from({ length: COUNT }, (_, index) => (index * 7919) % COUNT)

const workbook = rawWorkbook({
  sheets: [
    {
      rows: textRow('a') + order.map((index) => `<row><c t="s"><v>${index}</v></c></row>`).join(''),
    },
  ],
  sharedStrings: texts.map((text) => `<si><t>${text}</t></si>`).join(''),
})

async function readWith(sharedStringsBytes: number) {
  const table = await readTable(workbook, { limits: { sharedStringsBytes, expansionRatio: 1000 } })
  const wrong = table.rows.findIndex(([value], row) => value !== texts[order[row]!])
  return { report: table.report.dialect['sharedStrings'], rows: table.rows.length, wrong }
}

describe('shared strings', () => {
  it('stay in memory below the limit', async () => {
    expect(await readWith(32 * 1024 * 1024)).to.deep.equal({
      report: { count: COUNT, spilled: false },
      rows: COUNT,
      wrong: -1,
    })
  })

  it('are read in the same time whether they are few and very long or many and short', async () => {
    const limits = { sharedStringsBytes: 256 * 1024, expansionRatio: 100_000 }
    const reading = (count: number) => {
      const long = 'x'.repeat(30_000_000 / count)
      const bytes = rawWorkbook({
        sheets: [{ rows: `${textRow('a')}<row><c t="s"><v>0</v></c></row>` }],
        sharedStrings: `<si><t>${long}</t></si>`.repeat(count),
      })
      return async () => {
        const { rows } = await readTable(bytes, { limits })
        expect(rows[0]![0]).to.have.length(long.length)
      }
    }
    // One that is moved with every chunk takes several times as long.
    expect(await timesAsMuch(reading(1), reading(1_000), FEW_TIMES)).to.be.below(FEW_TIMES)
  })

  it('spill to files beyond it and read the same', async () => {
    expect(await readWith(256 * 1024)).to.deep.equal({
      report: { count: COUNT, spilled: true },
      rows: COUNT,
      wrong: -1,
    })
  })
})
