import { expect } from 'chai'

import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'

const STYLES = ['0%', '00000', '@']

/** One data row of these cells, below a header. */
async function cells(xml: string, sharedStrings?: string) {
  const count = xml.match(/<c[\s>/]/g)?.length ?? 0
  const header = textRow(...Array.from({ length: count }, (_, index) => `h${index}`))
  const table = await readTable(
    rawWorkbook({
      sheets: [{ rows: `${header}<row>${xml}</row>` }],
      formats: STYLES,
      ...(sharedStrings === undefined ? {} : { sharedStrings }),
    }),
  )
  return { values: table.rows[0], kinds: table.kinds[0], report: table.report }
}

const number = (text: string) => `<c><v>${text}</v></c>`

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

describe('cells of a workbook', () => {
  it('shows numbers as their shortest exact text', async () => {
    const texts = [
      '1',
      '-12.5',
      '1.1000000000000001',
      '0.30000000000000004',
      '1E-7',
      '1.5E+20',
      '-0',
    ]
    const { values, kinds } = await cells(texts.map(number).join(''))
    expect(values).to.deep.equal([
      '1',
      '-12.5',
      '1.1',
      '0.30000000000000004',
      '0.0000001',
      '150000000000000000000',
      '0',
    ])
    expect(kinds).to.deep.equal(texts.map(() => 'n'))
  })

  it('keeps every digit of a whole number that is too long for a double', async () => {
    const { values } = await cells(number('12345678901234567890') + number('9007199254740993'))
    expect(values).to.deep.equal(['12345678901234567890', '9007199254740993'])
  })

  it('strips the zeros that change nothing', async () => {
    const { values } = await cells(['007', '1.50', '2.0', '.5', '-0.0', '+3'].map(number).join(''))
    expect(values).to.deep.equal(['7', '1.5', '2', '0.5', '0', '3'])
  })

  it('leaves a percentage and a number formatted as text the numbers they are, and shows the digits of a code', async () => {
    const { values, kinds } = await cells(
      '<c s="0"><v>0.125</v></c><c s="1"><v>1000</v></c><c s="2"><v>12</v></c>',
    )
    expect(values).to.deep.equal(['0.125', '01000', '12'])
    expect(kinds).to.deep.equal(['n', 's', 'n'])
  })

  it('keeps a text that looks like a number a text', async () => {
    const { values, kinds } = await cells(
      '<c t="inlineStr"><is><t>00123</t></is></c><c t="str"><v>1e5</v></c>',
    )
    expect(values).to.deep.equal(['00123', '1e5'])
    expect(kinds).to.deep.equal(['t', 't'])
  })

  it('reads booleans', async () => {
    const { values, kinds } = await cells('<c t="b"><v>1</v></c><c t="b"><v>0</v></c>')
    expect(values).to.deep.equal(['true', 'false'])
    expect(kinds).to.deep.equal(['b', 'b'])
  })

  it('reads error cells as NULL, and counts them', async () => {
    const { values, report } = await cells(
      '<c t="e"><v>#N/A</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><v>1</v></c>',
    )
    expect(values).to.deep.equal([null, null, '1'])
    expect(report.repaired).to.include({ errorCells: 2 })
  })

  it('reads what a formula came to, and counts those whose result is not there', async () => {
    const { values, kinds, report } = await cells(
      '<c><f>1+1</f><v>2</v></c><c t="str"><f>A1&amp;"x"</f><v>a x</v></c><c t="b"><f>TRUE()</f><v>1</v></c><c><f>NOW()</f></c>',
    )
    expect(values).to.deep.equal(['2', 'a x', 'true', null])
    expect(kinds).to.deep.equal(['n', 't', 'b', null])
    expect(report.repaired).to.include({ formulasWithoutResult: 1 })
  })

  it('joins the runs of rich text and leaves out how it is pronounced', async () => {
    const runs =
      '<r><rPr><b/></rPr><t>gras</t></r><r><t xml:space="preserve"> et </t></r><rPh sb="0" eb="1"><t>ghra</t></rPh><r><t>fin</t></r>'
    const { values } = await cells(
      `<c t="s"><v>0</v></c><c t="inlineStr"><is>${runs}</is></c>`,
      `<si>${runs}</si>`,
    )
    expect(values).to.deep.equal(['gras et fin', 'gras et fin'])
  })

  it('keeps white space in a text exactly', async () => {
    const { values } = await cells(
      '<c t="inlineStr"><is><t xml:space="preserve">  a\n b </t></is></c><c t="s"><v>0</v></c>',
      '<si><t>  c\t</t></si>',
    )
    expect(values).to.deep.equal(['  a\n b ', '  c\t'])
  })

  it('tells an empty text from a cell without a value', async () => {
    const { values } = await cells(
      '<c t="str"><v></v></c><c s="0"/><c t="inlineStr"><is><t/></is></c><c><v>1</v></c>',
    )
    expect(values).to.deep.equal(['', null, '', '1'])
  })

  it('finds its texts in XML that was laid out for people, too', async () => {
    const { values } = await cells(
      '<c t="s">\n <v>\n  1\n </v></c>',
      '<si><t>a</t></si><si><t>b</t></si>',
    )
    expect(values).to.deep.equal(['b'])
  })

  it('decodes references, CDATA and what Excel escapes in its own way', async () => {
    const { values } = await cells(
      [
        'a &lt;&amp;&gt; b &#233;&#x1F600;',
        '<![CDATA[<b> & ]] >]]>',
        'x_x000D_y',
        '_x005F_x000D_',
        '_xD83D__xDE00_',
        '_x00e9_ _xZZZZ_',
        'line\r\nend\rs',
      ]
        .map(inline)
        .join(''),
    )
    expect(values).to.deep.equal([
      'a <&> b é😀',
      '<b> & ]] >',
      'x\ry',
      '_x000D_',
      '😀',
      'é _xZZZZ_',
      'line\nend\ns',
    ])
  })

  it('decodes a text that is nothing but escapes or references, whatever its length', async () => {
    const letters = Array.from(
      { length: 300_000 },
      (_, at) => 0x61 + (Math.imul(at, 2654435761) >>> 28),
    )
    const escapes = letters.map((code) => `_x00${code.toString(16)}_`).join('')
    const references = letters.map((code) => `&#${code};`).join('')
    const { values } = await cells(inline(escapes) + inline(references))
    const text = letters.map((code) => String.fromCharCode(code)).join('')
    expect(values?.map((value) => value === text)).to.deep.equal([true, true])
  })

  it('reads prefixed elements, comments, instructions and attributes in single quotes', async () => {
    const xml = `<?xml version='1.0'?><!-- <row> --><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><?pi > ?><x:sheetData><x:row r='1'><x:c r='A1' t='inlineStr'><x:is><x:t>nom</x:t></x:is></x:c></x:row ><x:row note="a > b"><x:c><!-- <v>2</v> --><x:v>4<!-- -->2</x:v></x:c></x:row></x:sheetData></x:worksheet>`
    const table = await readTable(rawWorkbook({ sheets: [{ xml }] }))
    expect(table.headers).to.deep.equal(['nom'])
    expect(table.rows).to.deep.equal([['42']])
  })

  for (const encoding of ['utf-16le', 'utf-16be', 'utf-8 with a mark', 'iso-8859-1'] as const) {
    it(`reads a sheet in ${encoding}`, async () => {
      const label = encoding.startsWith('utf-8') ? 'utf-8' : encoding.replace(/[lb]e$/, '')
      const text = `<?xml version="1.0" encoding="${label}"?><worksheet><sheetData>${textRow('été')}${textRow('là')}</sheetData></worksheet>`
      const table = await readTable(rawWorkbook({ sheets: [{ xml: encoded(text, encoding) }] }))
      expect(table.headers).to.deep.equal(['été'])
      expect(table.rows).to.deep.equal([['là']])
    })
  }
})

function encoded(text: string, encoding: string): Buffer {
  if (encoding === 'iso-8859-1') return Buffer.from(text, 'latin1')
  if (encoding.startsWith('utf-8')) return Buffer.from(`\ufeff${text}`)
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}
