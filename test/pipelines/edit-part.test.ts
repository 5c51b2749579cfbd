import { expect } from 'chai'

import { OWN_NAME } from '../../pipelines/readers/excel/workbook/own-sheet.ts'
import { withFirstSheet } from '../../pipelines/workbooks/edit-workbook.ts'
import { growthTenfold, IN_PROPORTION } from '../support/processor-time.ts'

const PIECE_BYTES = 4096
const SHEET = { name: 'To correct', id: 'r1', namespace: 'urn:r' }

/** A workbook in which a name of ours, from an earlier file back, has so much in it. */
const bookWith = (bytes: number) =>
  '<workbook><sheets><sheet name="A" sheetId="1"/></sheets><definedNames>' +
  `<definedName name="${OWN_NAME}">${'<x>1</x>'.repeat(bytes / 8)}</definedName>` +
  '<definedName name="theirs">A1</definedName></definedNames></workbook>'

async function edited(xml: string): Promise<string> {
  const bytes = Buffer.from(xml)
  const open = async () => {
    let at = 0
    return {
      part: 'xl/workbook.xml',
      bytesRead: bytes.length,
      next: async () => (at < bytes.length ? bytes.subarray(at, (at += PIECE_BYTES)) : null),
      close: async () => undefined,
    }
  }
  const pieces = await Array.fromAsync(withFirstSheet(open, SHEET))
  return Buffer.concat(pieces).toString()
}

describe('a part of a workbook that is edited', () => {
  it('loses what is taken out, however many pieces that comes in, and nothing beside it', async () => {
    const text = await edited(bookWith(10 * PIECE_BYTES))
    expect(text).not.to.include('<x>')
    expect(text).to.include('<definedName name="theirs">A1</definedName>')
    expect(text.match(new RegExp(`name="${OWN_NAME}"`, 'g'))).to.have.length(1)
    expect(text).to.match(/<\/workbook>$/)
  })

  it('takes time in proportion to what is taken out of it', async () => {
    const work = (length: number) => edited(bookWith(64 * length))
    expect(await growthTenfold(work)).to.be.below(IN_PROPORTION)
  })
})
