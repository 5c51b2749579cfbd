import { expect } from 'chai'

import { MiB } from '../../../../pipelines/index.ts'
import {
  rawEntries,
  rawWorkbook,
  sheetXml,
  textRow,
  type RawWorkbook,
} from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'
import { refusal } from '../../../support/workbooks/refusal.ts'
import { zip, type ZipEntry } from '../../../support/workbooks/zip-writer.ts'

const ordinary: RawWorkbook = {
  sheets: [
    {
      rows:
        textRow('a', 'b') +
        Array.from(
          { length: 3000 },
          (_, row) => `<row><c><v>${row * 7919}</v></c><c t="s"><v>0</v></c></row>`,
        ).join(''),
    },
  ],
  sharedStrings: '<si><t>été</t></si>',
}

/** The archive with one entry written otherwise. */
function altered(name: string, change: Partial<ZipEntry>): Buffer {
  return zip(
    rawEntries(ordinary).map((entry) => (entry.name === name ? { ...entry, ...change } : entry)),
  )
}

const withSheet = (xml: string | Buffer) => rawWorkbook({ sheets: [{ xml }] })

const limitOf = async (workbook: Buffer, limits = {}) => {
  const { problem } = await refusal(readTable(workbook, { limits }))
  return problem.kind === 'limit' ? problem.limit : problem
}

describe('broken and hostile workbooks', () => {
  it('are refused for number formats of more characters than are understood in one go', async () => {
    const formats = Array.from({ length: 5001 }, (_, at) => `${'0'.repeat(196)}${1000 + at}`)
    expect(await limitOf(rawWorkbook({ ...ordinary, formats }))).to.equal('styles')
  })

  describe('of another kind are refused with what to do', () => {
    const refused: Readonly<Record<string, readonly [workbook: Buffer, says: string]>> = {
      'encrypted zip': [altered('xl/workbook.xml', { flags: 1 }), 'remove the password'],
      xlsb: [zip([{ name: 'xl/workbook.bin', content: 'x' }]), '.xlsb'],
      docx: [zip([{ name: 'word/document.xml', content: '<x/>' }]), 'Word'],
      text: [Buffer.from('a;b\n1;2\n'), 'not an Excel workbook'],
      'other zip': [zip([{ name: 'a.txt', content: 'x' }]), 'not an Excel workbook'],
    }
    for (const [kind, [workbook, says]] of Object.entries(refused)) {
      it(kind, async () => {
        const error = await refusal(readTable(workbook))
        expect(error.problem).to.deep.equal({ kind: 'format' })
        expect(error.message).to.contain(says)
      })
    }
  })

  it('without a byte are empty', async () => {
    expect((await refusal(readTable(Buffer.alloc(0)))).problem).to.deep.equal({ kind: 'empty' })
  })

  describe('damaged are refused as broken structure', () => {
    it('cut anywhere', async () => {
      const whole = rawWorkbook(ordinary)
      for (const share of [0.01, 0.1, 0.5, 0.9, 0.99]) {
        const error = await refusal(readTable(whole.subarray(0, Math.floor(whole.length * share))))
        expect(error.problem.kind).to.equal('structure')
      }
    })

    it('cut, with the properties of the document in front', async () => {
      const properties = { name: 'docProps/app.xml', content: '<Properties/>' }
      const whole = zip([properties, ...rawEntries(ordinary)])
      const error = await refusal(readTable(whole.subarray(0, whole.length / 2)))
      expect(error.message).to.contain('open it in the program it comes from')
    })

    it('with bytes flipped in the deflated sheet, or read as what stood there', async () => {
      const whole = rawWorkbook(ordinary)
      const expected = await readTable(whole)
      for (let at = 40; at < whole.length; at += Math.floor(whole.length / 60)) {
        const flipped = Buffer.from(whole)
        flipped[at]! ^= 0x55
        const outcome = await readTable(flipped).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).to.have.property('problem')
        else expect(outcome).to.deep.include({ rows: expected.rows })
      }
    })

    const sheet = 'xl/worksheets/sheet1.xml'
    const content = String(rawEntries(ordinary).find(({ name }) => name === sheet)!.content)
    const damaged: Readonly<Record<string, Buffer>> = {
      'a wrong checksum': altered(sheet, { crc: 1 }),
      'a size that is too small': altered(sheet, { size: 100 }),
      'a size that is too large': altered(sheet, { size: content.length + 1 }),
      'the same part twice': zip([
        ...rawEntries(ordinary),
        { name: 'XL/worksheets/Sheet1.xml', content },
      ]),
      'a sheet that is not there': zip(rawEntries(ordinary).filter(({ name }) => name !== sheet)),
      'XML that ends too early': altered(sheet, { content: content.slice(0, -20) }),
      'tags that do not match': withSheet(sheetXml('<row><c><v>1</c></v></row>')),
      'two roots': withSheet(`${sheetXml('')}<a/>`),
      'no XML': withSheet('hello'),
      'an empty part': withSheet(''),
      'bytes that are not UTF-8': withSheet(Buffer.from(sheetXml(textRow('\u00ff')), 'latin1')),
      'an encoding nobody knows': withSheet('<?xml version="1.0" encoding="klingon"?><a/>'),
      'a NUL in the name of a sheet': rawWorkbook({ sheets: [{ name: 'a\0b', rows: '' }] }),
      'a NUL in a cell': withSheet(sheetXml(textRow('a\0b'))),
      'an unknown entity': withSheet(sheetXml(textRow('&eacute;'))),
      'a reference to nothing': withSheet(sheetXml(textRow('&#0;'))),
      'a lone ampersand': withSheet(sheetXml(textRow('a & b and so on and on'))),
      'a shared string that is not there': withSheet(sheetXml('<row><c t="s"><v>7</v></c></row>')),
      'rows in disorder': withSheet(sheetXml('<row r="5"/><row r="5"/>')),
      'a row that is none': withSheet(sheetXml('<row r="0"/>')),
      'a row past the last': withSheet(sheetXml('<row r="1048577"/>')),
      'a column past the last': withSheet(sheetXml('<row><c r="XFE1"><v>1</v></c></row>')),
      'a reference without letters': withSheet(sheetXml('<row><c r="12"><v>1</v></c></row>')),
      'a DTD': withSheet(`<!DOCTYPE a [<!ENTITY b "c">]>${sheetXml('')}`),
    }
    for (const [what, workbook] of Object.entries(damaged)) {
      it(`with ${what}`, async () => {
        expect((await refusal(readTable(workbook))).problem.kind).to.equal('structure')
      })
    }
  })

  describe('are refused by their place', () => {
    const places: readonly (readonly [rows: string, says: string, place?: string])[] = [
      [
        `${textRow('a', 'b')}<row><c><v>1</v></c><c t="s"><v>7</v></c></row>`,
        'the cell Feuil1!B2 names a text',
        'Feuil1!B2',
      ],
      ['<row><c r="$A$1"><v>1</v></c></row>', 'row 1 of the sheet “Feuil1” has a cell “$A$1”'],
      ['<row r="5"/><row r="4"/>', 'in the sheet “Feuil1” row 4 comes after row 5'],
      ['<row r="5"/><row r="0"/>', 'row 5 of the sheet “Feuil1” is followed by a row 0'],
      ['<row><c><v>1</c></row>', 'xl/worksheets/sheet1.xml, near byte'],
    ]
    for (const [rows, says, place] of places) {
      it(says, async () => {
        const { message, problem } = await refusal(readTable(withSheet(sheetXml(rows))))
        expect(message).to.contain(says)
        expect(problem).to.have.property('kind', 'structure')
        if (place !== undefined) expect(problem).to.have.property('place', place)
      })
    }

    it('a cell that is too long', async () => {
      const rows = textRow('a') + textRow('b', 'x'.repeat(2000))
      const limits = { cellBytes: 1000 }
      const { message, problem } = await refusal(readTable(withSheet(sheetXml(rows)), { limits }))
      expect(message).to.contain('The cell Feuil1!B2 is longer than 1000 bytes')
      expect(problem).to.include({ kind: 'limit', limit: 'cellBytes', place: 'Feuil1!B2' })
    })
  })

  describe('that expand without end are stopped', () => {
    it('by the ratio of a part', async () => {
      const blank = `<row>${' '.repeat(100)}</row>`.repeat(200_000)
      expect(await limitOf(withSheet(sheetXml(blank)))).to.equal('expansionRatio')
    })

    it('by the ratio of the shared strings', async () => {
      const bomb = {
        ...ordinary,
        sharedStrings: `<si><t>${'x'.repeat(100)}</t></si>`.repeat(100_000),
      }
      expect(await limitOf(rawWorkbook(bomb))).to.equal('expansionRatio')
    })

    it('by their expanded size', async () => {
      expect(await limitOf(rawWorkbook(ordinary), { expandedBytes: 10_000 })).to.equal(
        'expandedBytes',
      )
    })

    it('by one long text named in many cells', async () => {
      const text = Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36)).join(
        ' ',
      )
      const bomb = {
        sheets: [{ rows: textRow('a') + '<row><c t="s"><v>0</v></c></row>'.repeat(5000) }],
        sharedStrings: `<si><t>${text}</t></si>`,
      }
      expect(await limitOf(rawWorkbook(bomb))).to.equal('expansionRatio')
    })

    it('by the length of a cell, inline or shared', async () => {
      const long = 'x'.repeat(2 * MiB)
      const limits = { cellBytes: MiB, expansionRatio: 100_000 }
      expect(await limitOf(withSheet(sheetXml(textRow('a') + textRow(long))), limits)).to.equal(
        'cellBytes',
      )
      const shared = { ...ordinary, sharedStrings: `<si><t>${long}</t></si>` }
      expect(await limitOf(rawWorkbook(shared), limits)).to.equal('cellBytes')
    })

    it('by the number of entries', async () => {
      const more = Array.from({ length: 50 }, (_, index) => ({ name: `x/${index}`, content: '' }))
      expect(await limitOf(rawWorkbook({ ...ordinary, more }), { archiveEntries: 20 })).to.equal(
        'archiveEntries',
      )
    })

    it('by the length of a tag and the depth of elements', async () => {
      expect(
        await limitOf(withSheet(`<a b="${'x'.repeat(3 * MiB)}"/>`), { expansionRatio: 100_000 }),
      ).to.equal('xmlTag')
      expect(await limitOf(withSheet('<a>'.repeat(300)))).to.equal('xmlDepth')
    })
  })

  it('with a million merged ranges are read as if there were none', async () => {
    const merged = Array.from(
      { length: 1_000_000 },
      (_, row) => `<mergeCell ref="B${row}:C${row}"/>`,
    )
    const after = `<mergeCells>${merged.join('')}</mergeCells>`
    const table = await readTable(withSheet(sheetXml(textRow('a') + textRow('x'), after)))
    expect(table.rows).to.deep.equal([['x']])
  })

  it('with a header that is a property of every object are read like any other', async () => {
    const table = await readTable(
      withSheet(sheetXml(textRow('__proto__', 'constructor') + textRow('1', '2'))),
    )
    expect(table.headers).to.deep.equal(['__proto__', 'constructor'])
    expect(table.rows).to.deep.equal([['1', '2']])
  })

  it('stop when they are told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    const outcome = await readTable(rawWorkbook(ordinary), { signal }).catch(
      (error: unknown) => error,
    )
    expect(outcome).to.be.an('error').with.property('message', 'enough')
  })
})
