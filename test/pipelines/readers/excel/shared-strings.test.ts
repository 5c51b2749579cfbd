import { expect } from 'chai'

import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'
import { growthTenfold, IN_PROPORTION } from '../../../support/processor-time.ts'

const COUNT = 60_000

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

  it('are read in time in proportion to their length, also where one is very long', async () => {
    const limits = { sharedStringsBytes: 256 * 1024, expansionRatio: 100_000 }
    const growth = await growthTenfold(async (length) => {
      const long = 'x'.repeat(length * 200)
      const bytes = rawWorkbook({
        sheets: [{ rows: `${textRow('a')}<row><c t="s"><v>0</v></c></row>` }],
        sharedStrings: `<si><t>${long}</t></si>`,
      })
      const { rows } = await readTable(bytes, { limits })
      expect(rows[0]![0]).to.have.length(long.length)
    })
    // Moved with every chunk, it would be to the square of it.
    expect(growth).to.be.below(IN_PROPORTION)
  })

  it('spill to files beyond it and read the same', async () => {
    expect(await readWith(256 * 1024)).to.deep.equal({
      report: { count: COUNT, spilled: true },
      rows: COUNT,
      wrong: -1,
    })
  })
})
