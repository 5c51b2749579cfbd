import { expect } from 'chai'

import { rawWorkbook, textRow, type RawSheet } from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'
import { refusal } from '../../../support/workbooks/refusal.ts'

const holding = (header: string, more: Partial<RawSheet> = {}): RawSheet => ({
  rows: textRow(header) + textRow('x'),
  ...more,
})

const read = (sheets: readonly RawSheet[], sheet?: string | number) =>
  readTable(rawWorkbook({ sheets }), { options: sheet === undefined ? {} : { sheet } })

describe('the sheets of a workbook', () => {
  it('are all in the report, with their state', async () => {
    const { report } = await read([
      holding('a', { name: 'Été &amp; co' }),
      holding('b', { name: 'Listes', state: 'hidden' }),
      holding('c', { name: 'Secrets', state: 'veryHidden' }),
    ])
    expect(report.dialect).to.deep.include({
      sheet: 'Été & co',
      sheets: [
        { name: 'Été & co', state: 'visible' },
        { name: 'Listes', state: 'hidden' },
        { name: 'Secrets', state: 'veryHidden' },
      ],
    })
  })

  it('are read from the first that people see and that holds data', async () => {
    const hidden = holding('hidden', { state: 'hidden' })
    expect(
      (await read([hidden, {}, { rows: textRow(' ') }, holding('seen')])).headers,
    ).to.deep.equal(['seen'])
    expect((await read([{}, hidden])).headers).to.deep.equal(['hidden'])
  })

  it('are passed over where their table has less than a tenth of the cells of another', async () => {
    const table = (name: string, rows: number): RawSheet => ({
      name,
      rows: Array.from({ length: rows + 1 }, (_, at) =>
        textRow(
          ...['a', 'b', 'c'].map((column) => (at === 0 ? `${name} ${column}` : `${column}${at}`)),
        ),
      ).join(''),
    })
    const chosen = async (...sheets: readonly RawSheet[]) => (await read(sheets)).headers[0]
    expect(await chosen(table('legend', 4), table('data', 60))).to.equal('data a')
    expect(await chosen(table('data', 7), table('more', 60))).to.equal('data a')
    expect(await chosen(table('legend', 4), table('note', 3), table('data', 300))).to.equal(
      'data a',
    )
    expect(await chosen(table('data', 300), table('more', 3000))).to.equal('data a')
    const hidden: RawSheet = { ...table('lists', 3000), state: 'hidden' }
    expect(await chosen(table('data', 4), hidden)).to.equal('data a')
  })

  it('are found by name, in any case, or by index from 1', async () => {
    const sheets = [holding('a', { name: 'Un' }), holding('b', { name: '1', state: 'hidden' })]
    expect((await read(sheets, 'Un')).headers).to.deep.equal(['a'])
    expect((await read(sheets, 'UN')).headers).to.deep.equal(['a'])
    expect((await read(sheets, '1')).headers).to.deep.equal(['b'])
    expect((await read(sheets, 2)).headers).to.deep.equal(['b'])
  })

  it('are listed when the one that was named is not there', async () => {
    for (const sheet of ['Deux', 2]) {
      const error = await refusal(read([holding('a', { name: 'Un' })], sheet))
      expect(error.problem).to.deep.equal({ kind: 'options', pointer: '/sheet' })
      expect(error.message).to.contain('1: Un')
    }
    const many = Array.from({ length: 200 }, (_, at) => holding('a', { name: `F${at}` }))
    const { message } = await refusal(read(many, 'Deux'))
    expect(message).to.contain('30: F29 and 170 more').and.not.contain('F30')
  })

  it('hold no data: that is an empty input', async () => {
    expect((await refusal(read([{}, {}]))).problem).to.deep.equal({ kind: 'empty' })
    expect((await refusal(read([holding('a'), {}], 2))).problem).to.deep.equal({ kind: 'empty' })
  })

  it('with headers alone make a table without rows', async () => {
    const table = await read([{ rows: textRow('a', 'b') }])
    expect(table.headers).to.deep.equal(['a', 'b'])
    expect(table.rows).to.deep.equal([])
  })
})
