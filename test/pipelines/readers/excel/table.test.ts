import { expect } from 'chai'

import { excelFormat } from '../../../../pipelines/readers/excel/index.ts'
import { columnLetters } from '../../../../pipelines/cells/column-letters.ts'
import { inChunks, openReading } from '../../../contracts/reader.ts'
import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { readTable, type ReadSettings } from '../../../support/workbooks/read-table.ts'
import { refusal } from '../../../support/workbooks/refusal.ts'

/** Each cell is `A1=text` or `A1=#12`, a number; gaps come by themselves. */
function sheet(...cells: readonly string[]): string {
  const byRow = Map.groupBy(cells, (cell) => /\d+/.exec(cell)![0])
  return [...byRow]
    .map(([row, ofRow]) => {
      const xml = ofRow.map((cell) => {
        const [reference = '', value = ''] = cell.split('=')
        return value.startsWith('#')
          ? `<c r="${reference}"><v>${value.slice(1)}</v></c>`
          : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
      })
      return `<row r="${row}">${xml.join('')}</row>`
    })
    .join('')
}

const read = (rows: string, settings?: ReadSettings) =>
  readTable(rawWorkbook({ sheets: [{ rows }] }), settings)

async function found(...cells: readonly string[]): Promise<unknown> {
  const table = await read(sheet(...cells))
  return table.table.header.rows.at(-1)
}

/** Cells of all batches, empty ones too. */
async function cellsLaidOut(workbook: Buffer): Promise<number> {
  const open = await openReading(excelFormat, () => inChunks(workbook, workbook.length))
  try {
    let cells = 0
    for (;;) {
      const batch = await open.next()
      if (batch === null) return cells
      cells += batch.start.length
    }
  } finally {
    await open.close()
  }
}

/** So many rows that those at the end come after the survey. */
function withLateCells(): string {
  const lines = Array.from({ length: 20_000 }, (_, row) => `A${row + 2}=x`)
  return sheet('A1=a', 'B1=b', ...lines, 'D20005=surplus', 'E20006= ', 'A20007=fin')
}

describe('the table in a sheet', () => {
  it('puts cells without a reference after the one before', async () => {
    const table = await read(
      `${textRow('a', 'b', 'c')}<row><c><v>1</v></c><c r="C2"><v>3</v></c></row><row><c/><c><v>2</v></c></row>`,
    )
    expect(table.rows).to.deep.equal([
      ['1', null, '3'],
      [null, '2', null],
    ])
    expect(table.lines).to.deep.equal([2, 3])
  })

  it('keeps missing rows and rows without a value between others, as blank rows', async () => {
    const table = await read(
      `${sheet('A1=a', 'A2=x')}<row r="3"><c r="A3" s="0"/></row>${sheet('A6=y')}`,
    )
    expect(table.rows).to.deep.equal([['x'], [null], [null], [null], ['y']])
    expect(table.lines).to.deep.equal([2, 3, 4, 5, 6])
  })

  it('cuts a million blank rows at the end and columns that hold nothing', async () => {
    const blank = Array.from(
      { length: 200_000 },
      (_, row) => `<row r="${row + 3}"><c s="0"/></row>`,
    )
    const table = await read(
      `${sheet('A1=a', 'B1=b', 'A2=x')}${blank.join('').replace('<c s="0"/>', '<c r="XFD3" s="0"/>')}`,
      { limits: { expansionRatio: 1000 } },
    )
    expect(table.headers).to.deep.equal(['a', 'b'])
    expect(table.rows).to.deep.equal([['x', null]])
  })

  it('lays a gap of a million rows out in batches', async () => {
    const table = await read(sheet('A1=a', 'B1=b', 'A2=x', 'B1048576=y'))
    expect(table.rows).to.have.lengthOf(1_048_575)
    expect(table.rows.at(-1)).to.deep.equal([null, 'y'])
    expect(table.lines.at(-1)).to.equal(1_048_576)
    expect(table.lines.every((line, index) => line === index + 2)).to.equal(true)
  })

  it('lays out no cell of blank rows that cost a wide sheet no byte', async () => {
    const headers = Array.from({ length: 1500 }, (_, at) => `${columnLetters(at)}1=h${at}`)
    const spread = Array.from({ length: 512 }, (_, at) => `A${3 + at * 2046}=#${at}`)
    for (const below of [['A1048576=#7'], spread]) {
      const rows = sheet(...headers, 'A2=#1', ...below)
      const cells = await cellsLaidOut(rawWorkbook({ sheets: [{ rows }] }))
      expect(cells).to.be.at.most((below.length + 1) * (headers.length + 1024))
    }
  })

  it('keeps the rows behind and between many blank rows of a wide sheet', async () => {
    const headers = Array.from({ length: 600 }, (_, at) => `${columnLetters(at)}1=h${at}`)
    const table = await read(sheet(...headers, 'A2=x', 'B3=é', 'A9=y', 'C10=#3', 'VA40=z', 'A41=w'))
    const filled = table.rows.map((row, at) => [
      table.lines[at],
      row.flatMap((value, column) => (value === null ? [] : [`${columnLetters(column)}=${value}`])),
    ])
    expect(table.lines).to.deep.equal(Array.from({ length: 40 }, (_, at) => at + 2))
    const all = filled.filter(([, cells]) => (cells as string[]).length > 0)
    expect(all).to.deep.equal([
      [2, ['A=x']],
      [3, ['B=é']],
      [9, ['A=y']],
      [10, ['C=3']],
      [40, ['VA=z']],
      [41, ['A=w']],
    ])
    expect(table.kinds[8]?.[2]).to.equal('n')
  })

  it('begins where the table begins, and names cells as the sheet does', async () => {
    const table = await readTable(
      rawWorkbook({
        sheets: [{ name: 'Ventes 2024', rows: sheet('C5=a', 'D5=b', 'C6=x', 'D6=#1') }],
      }),
    )
    expect(table.headers).to.deep.equal(['a', 'b'])
    expect(table.places).to.deep.equal(["'Ventes 2024'!C6"])
    expect(table.report.dialect).to.include({ firstColumn: 'C' })
    expect(table.table.header.rows).to.deep.equal([5])
  })

  it('gives a column without a header its place', async () => {
    const table = await read(sheet('A1=a', 'C1=c', 'A2=1', 'B2=2', 'C2=3', 'E2=5'))
    expect(table.headers).to.deep.equal(['a', null, 'c', null, null])
    expect(table.rows).to.deep.equal([['1', '2', '3', null, '5']])
  })

  it('gives the value of merged cells to the first of them', async () => {
    const xml = `<worksheet><sheetData>${sheet('A1=a', 'B1=b', 'A2=x')}<row r="3"><c r="A3" s="0"/><c r="B3"><v>1</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells></worksheet>`
    const table = await readTable(rawWorkbook({ sheets: [{ xml }] }))
    expect(table.rows).to.deep.equal([
      ['x', null],
      [null, '1'],
    ])
  })

  describe('its header row', () => {
    it('is found below a title', async () => {
      expect(await found('A1=Rapport', 'A3=a', 'B3=b', 'C3=c', 'A4=x', 'B4=#1', 'C4=#2')).to.equal(
        3,
      )
      expect(await found('A1=Rapport', 'A2=a', 'B2=b', 'C2=c', 'A3=x', 'B3=y', 'C3=z')).to.equal(2)
    })

    it('is found below a title of several lines', async () => {
      expect(
        await found(
          'A1=Rapport',
          'A2=Client',
          'B2=ACME',
          'A4=a',
          'B4=b',
          'C4=c',
          'A5=x',
          'B5=y',
          'C5=z',
        ),
      ).to.equal(4)
    })

    it('may hold numbers when there is a blank row above it', async () => {
      expect(
        await found('A1=Ventes', 'A3=Produit', 'B3=#2023', 'C3=#2024', 'A4=x', 'B4=#1', 'C4=#2'),
      ).to.equal(3)
    })

    it('may name years in a row', async () => {
      const years = ['A2=Produit', 'B2=#2024', 'C2=#2025', 'A3=x', 'B3=#1', 'C3=#2']
      expect(await found('A1=Ventes', ...years)).to.equal(2)
      expect(await found('A1=Nom', 'A2=Zoé', 'B2=#1985', 'C2=#2020', 'A3=x', 'C3=#1')).to.equal(1)
    })

    it('may have blanks and is still not taken for a title', async () => {
      expect(await found('A1=Nom', 'A2=x', 'B2=#1', 'A3=y', 'B3=#2')).to.equal(1)
      expect(await found('A1=a', 'C1=c', 'A2=x', 'B2=y', 'C2=z')).to.equal(1)
    })

    it('is the first row of a sheet of one column', async () => {
      expect(await found('A1=Nom', 'A3=x', 'A4=y')).to.equal(1)
    })

    it('is the one that was named', async () => {
      const rows = sheet('A1=a', 'B1=b', 'A2=c', 'B2=d', 'A3=x', 'B3=y')
      const table = await read(rows, { options: { headerRow: 2 } })
      expect(table.headers).to.deep.equal(['c', 'd'])
      expect(table.rows).to.deep.equal([['x', 'y']])
      expect(table.lines).to.deep.equal([3])
    })

    it('does not exist when 0 is given', async () => {
      const table = await read(sheet('A2=a', 'B2=b', 'A3=x'), { options: { headerRow: 0 } })
      expect(table.headers).to.deep.equal([null, null])
      expect(table.rows).to.deep.equal([
        ['a', 'b'],
        ['x', null],
      ])
      expect(table.lines).to.deep.equal([2, 3])
    })

    it('cannot be an empty row', async () => {
      const rows = sheet('A1=a', 'A5=x')
      for (const headerRow of [3, 9]) {
        const error = await refusal(read(rows, { options: { headerRow } }))
        expect(error.problem).to.deep.equal({ kind: 'options', pointer: '/headerRow' })
      }
    })
  })

  describe('cells beside it that come late', () => {
    it('are faults of their row', async () => {
      const table = await read(withLateCells())
      expect(table.faults.map(({ line }) => line)).to.deep.equal([20_005])
      expect(String(table.faults[0]!.message))
        .to.contain('The cell Feuil1!D20005 is filled but lies outside the table')
        .and.to.contain('ragged: “fit”')
    })

    it('are cut and counted where the request says fit', async () => {
      const table = await read(withLateCells(), { options: { ragged: 'fit' } })
      expect(table.faults).to.deep.equal([])
      expect(table.report.repaired).to.include({ cellsCut: 1 })
    })
  })

  it('refuses more columns than a table can have', async () => {
    const error = await refusal(read(sheet('A1=a', 'BIG1=b', 'A2=x')))
    expect(error.problem).to.deep.equal({
      kind: 'limit',
      limit: 'columns',
      line: 1,
      place: 'Feuil1!BIG1',
    })
    expect(error.message).to.contain('Feuil1!BIG1').and.contain('1593 columns')
  })

  it('writes a row back as CSV', async () => {
    const table = await read(sheet('A1=a', 'B1=b', 'A2=x, &quot;y&quot;', 'B2=#1'))
    expect(table.raw).to.deep.equal(['"x, ""y""",1'])
  })
})
