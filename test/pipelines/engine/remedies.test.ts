import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { createEngine, type IngestOptions, type Remedy } from '../../../pipelines/index.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { makeFolder } from '../../support/folder.ts'
import { useDatabase } from '../../support/database.ts'
import { patience } from '../../support/patience.ts'
import { bytesOf, loadInto, refusalOf } from './loading.ts'

const engine = createEngine({ tempDir: tmpdir() })
const preview = (text: string | Buffer, options: IngestOptions = {}) =>
  engine.preview(bytesOf(text), options, { limit: 100, signal: patience() })

const optionsOf = (remedies: readonly Remedy[] | null) =>
  (remedies ?? []).map(({ options }) => options)

const DATES = ['03/01/2024', '15/01/2024', '16/01/2024', '17/01/2024', '18/01/2024', '19/01/2024']
const withDates = (...others: readonly string[]) =>
  `Ville;Le\n${[...DATES, ...DATES, ...others].map((date) => `Brest;${date}\n`).join('')}`

describe('what would let a refused file load', () => {
  const database = useDatabase()
  const refused = (text: string, options: IngestOptions = {}) =>
    refusalOf(loadInto(database, bytesOf(text), { options }))

  async function expectEachLoads(text: string, remedies: readonly Remedy[]) {
    for (const { options, leaves } of remedies) {
      const { counts } = await loadInto(database, bytesOf(text), { options })
      expect(counts.rejected, JSON.stringify(options)).to.equal(leaves)
    }
  }

  it('takes words and dates of zeros for nothing, or the column for text, or leaves rows out', async () => {
    const text = withDates('inconnue', '0000-00-00')
    const { remedies } = await refused(text)
    expect(remedies?.map(({ options, leaves }) => ({ options, leaves }))).to.deep.equal([
      { options: { nullValues: ['inconnue', '0000-00-00'] }, leaves: 0 },
      { options: { columns: [{ name: 'Le', type: 'text' }] }, leaves: 0 },
      { options: { onInvalid: 'skip' }, leaves: 2 },
    ])
    expect(String(remedies![0]!.message)).to.equal('Take “inconnue”, “0000-00-00” for blank cells.')
    await expectEachLoads(text, remedies!)
  })

  it('keeps what the request says besides, and leaves the rest to the rejects', async () => {
    const text = withDates('inconnue', '2020-2021')
    const options: IngestOptions = {
      columns: [{ name: 'Le', type: 'date' }],
      timezone: 'Europe/Paris',
    }
    const { remedies } = await refused(text, options)
    expect(remedies![0]).to.deep.include({
      options: { ...options, nullValues: ['inconnue'], onInvalid: 'skip' },
      leaves: 1,
    })
    expect(String(remedies![0]!.message)).to.equal(
      'Take “inconnue” for blank cells. 1 other row is left out.',
    )
    await expectEachLoads(text, remedies!)
  })

  it('names the pattern that reads what the column does not', async () => {
    const text = withDates('3 mars 2024', '14 juillet 2024')
    const { remedies } = await refused(text)
    expect(optionsOf(remedies)).to.deep.include({
      columns: [{ name: 'Le', type: 'date', pattern: 'd MMMM yyyy' }],
    })
    await expectEachLoads(text, remedies!)
  })

  it('is judged on every cell, also far beyond the sample', async () => {
    const text = `Ville;Le\n${'Brest;03/01/2024\n'.repeat(12_000)}Lyon;inconnue\n`
    const { remedies } = await refused(text)
    expect(remedies![0]).to.deep.include({ options: { nullValues: ['inconnue'] }, leaves: 0 })
  })

  it('fills up rows that lack blank fields at their end', async () => {
    const text = `a;b;c\n${'1;2;3\n'.repeat(5)}4;5\n6;7\n`
    const { remedies } = await refused(text)
    expect(remedies?.map(({ options, leaves }) => ({ options, leaves }))).to.deep.equal([
      { options: { ragged: 'pad' }, leaves: 0 },
      { options: { onInvalid: 'skip' }, leaves: 2 },
    ])
    await expectEachLoads(text, remedies!)
  })

  it('is tried as far as the fault, also beyond the sample of a stored file', async () => {
    const folder = await makeFolder('remedies')
    const path = join(folder, 'far.csv')
    await writeFile(path, `a;b;c\n${`1;${'x'.repeat(1000)};3\n`.repeat(20_000)}4;5\n`)
    const open = () => Promise.reject(new Error('not asked for'))
    const { problem, remedies } = await refusalOf(
      loadInto(database, { kind: 'bytes', path, open }, {}),
    )
    await rm(folder, { recursive: true })
    expect(problem).to.deep.include({ kind: 'structure', row: 20_001 })
    expect(optionsOf(remedies)[0]).to.deep.equal({ ragged: 'pad' })
  })

  it('leaves out the lines between sections', async () => {
    const section = 'Compte 0123\n'
    const rows = '03/01/2024;12,50;Loyer\n15/01/2024;3,20;Pain\n'
    const text = `Le;Montant;Quoi\n${rows}${section}${rows}${rows}`
    const { remedies } = await refused(text)
    expect(remedies).to.have.length.greaterThan(0)
    expect(optionsOf(remedies)).to.deep.include({ onInvalid: 'skip' })
    await expectEachLoads(text, remedies!)
  })

  it('separates the fields at another sign where the one that was said leaves them apart', async () => {
    const text = `a;b;c\n${'1;2;3\n'.repeat(20)}4;5,5;6\n`
    const { remedies } = await refused(text, { delimiter: ',' })
    expect(optionsOf(remedies)[0]).to.deep.equal({ delimiter: ';' })
    await expectEachLoads(text, remedies!)
  })

  it('offers no delimiter that leaves the names undivided', async () => {
    const rows = '2024-01-02;ICA;-100,00;900,00\n2024-01-03;Lön;20000,00;20900,00;jan\n'
    const { remedies } = await refused(`Datum;Text;Belopp;Saldo;Notering\n${rows}`)
    expect(optionsOf(remedies)).to.deep.equal([{ ragged: 'pad' }, { onInvalid: 'skip' }])
  })

  it('reads the other decimal sign, or that of each column, where the one that was said does not fit', async () => {
    const text = `Nom;Prix;Part\n${'a;12.5;0.25\n'.repeat(9)}b;7;0.5\n`
    const options: IngestOptions = {
      decimal: ',',
      columns: [{ name: 'Prix', type: 'number' }],
    }
    const { remedies } = await refused(text, options)
    expect(
      remedies!.slice(0, 2).map(({ options: all, leaves }) => ({ all, leaves })),
    ).to.deep.equal([
      { all: { ...options, decimal: '.' }, leaves: 0 },
      { all: { columns: options.columns }, leaves: 0 },
    ])
    expect(String(remedies![0]!.message)).to.equal('Read “.” as the decimal sign.')
    await expectEachLoads(text, remedies!)
    const mixed = `Nom;Prix\n${'a;12,5\n'.repeat(9)}b;7.25\n`
    const { remedies: others } = await refused(mixed, options)
    expect(optionsOf(others).filter(({ decimal }) => decimal !== ',')).to.deep.equal([])
  })

  it('reads the columns that hold the table, where a cell far away is beyond the last possible one', async () => {
    const cell = (place: string, text: string) =>
      `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
    const row = (at: number, more = '') =>
      `<row r="${at}">${cell(`A${at}`, at === 1 ? 'Nom' : `a${at}`)}${cell(`C${at}`, at === 1 ? 'Ville' : 'Brest')}${more}</row>`
    const rows = Array.from({ length: 40 }, (_, at) =>
      row(at + 1, at === 16 ? cell('XFD17', 'oubliée') : ''),
    ).join('')
    const small = `<row r="1">${cell('A1', 'x')}</row><row r="2">${cell('A2', 'y')}</row>`
    const book = rawWorkbook({
      sheets: [
        { name: 'Un', rows: small },
        { name: 'Deux', rows },
      ],
    })
    const { problem, remedies } = await refusalOf(preview(book))
    expect(problem).to.deep.include({ kind: 'limit', limit: 'columns', place: 'Deux!XFD17' })
    expect(remedies!.map(({ options, leaves }) => ({ options, leaves }))).to.deep.equal([
      { options: { sheet: 'Deux', range: 'A:C' }, leaves: 0 },
    ])
    expect(String(remedies![0]!.message)).to.equal(
      'Read the columns A:C only; 1 cell to the right of them is left out.',
    )
    const seen = await preview(book, remedies![0]!.options)
    expect(seen.columns.map(({ name }) => name)).to.deep.equal(['Nom', 'Sans titre 1', 'Ville'])
    expect(seen.rows).to.have.length(39)
    const wide = `<row r="1">${cell('A1', 'x')}${cell('XFD1', 'y')}</row>`
    const first = { name: 'Un', rows: rows.replace('XFD17', 'D17') }
    const other = await preview(rawWorkbook({ sheets: [first, { name: 'Deux', rows: wide }] }))
    expect(other.rows).to.have.length(39)
  })

  it('takes quotes for ordinary characters where one is never closed', async () => {
    const text = 'a;b\n1;2\n3;"4\n5;6\n'
    const { remedies } = await refused(text)
    expect(optionsOf(remedies)[0]).to.deep.equal({ quote: '' })
    await expectEachLoads(text, [remedies![0]!])
  })

  it('is offered by a preview as well, of a stream that comes only once, packed or not', async () => {
    const text = 'a;b;c\n1;2;3\n4;5\n6;7;8\n'
    for (const sent of [Buffer.from(text), gzipSync(text)]) {
      const { remedies } = await refusalOf(preview(sent))
      expect(optionsOf(remedies)[0]).to.deep.equal({ ragged: 'pad' })
    }
  })

  it('says what the file shows where an option does not go with it', async () => {
    const wrongFormat = await refusalOf(preview('a;b\n1;2\n', { format: 'excel' }))
    expect(optionsOf(wrongFormat.remedies)).to.deep.equal([{ format: 'csv' }])
    const wrongEncoding = await refusalOf(
      preview(Buffer.from('nom;n\nété;1\n', 'latin1'), { encoding: 'utf-8' }),
    )
    expect(optionsOf(wrongEncoding.remedies)).to.deep.include({ encoding: 'windows-1252' })
  })

  it('is nothing where nothing helps, and is not asked of options that are wrong by themselves', async () => {
    expect((await refusalOf(preview(''))).remedies).to.deep.equal([])
    const { remedies } = await refusalOf(preview('a\n1\n', { timezone: 'Nowhere' }))
    expect(remedies).to.deep.equal([])
  })

  it('is never more than five', async () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}1`)
    const text = withDates(...many, 'inconnue', '3 mars 2024')
    const { remedies } = await refused(text, { columns: [{ name: 'Le', type: 'date' }] })
    expect(remedies!.length).to.be.within(3, 5)
  })
})

describe('what would mend what a warning tells', () => {
  it('is another sheet, table, array or header, each of which it reads', async () => {
    const sheet = (name: string, header: string) => ({
      name,
      rows: [header, 'x', 'y', 'z'].map((cell) => textRow(cell, `${cell} 2`, `${cell} 3`)).join(''),
    })
    const book = rawWorkbook({ sheets: [sheet('Un', 'a'), sheet('Deux', 'b')] })
    const large = `Code;Libellé;Montant\n${'X;aa;12\n'.repeat(9)}`
    for (const [content, code, expected] of [
      [book, 'other-sheets', [{ options: { sheet: 'Deux' }, first: 'b' }]],
      [
        '{"a":[{"k":1},{"k":2}],"b":[{"m":1}],"c":3}',
        'other-arrays',
        [{ options: { path: '/b' }, first: 'm' }],
      ],
      [
        `${large}\nNom;Prix\nA;1\nB;2\nC;3\n`,
        'other-tables',
        [{ options: { headerRow: 12 }, first: 'Nom' }],
      ],
      [
        Array.from({ length: 9 }, (_, at) => `${at},${at * 7}.25,2024-01-0${at + 1}`).join('\n'),
        'header-looks-like-data',
        [{ options: { headerRow: 1 }, first: '0' }],
      ],
    ] as const) {
      const { warnings } = await preview(content)
      const { remedies } = warnings.find((warning) => warning.code === code)!
      expect(optionsOf(remedies!), code).to.deep.equal(expected.map(({ options }) => options))
      for (const { options, first } of expected) {
        expect((await preview(content, options)).columns[0]!.name, code).to.equal(first)
      }
    }
  })

  it('is with the warning: the other order of day and month, signs, types, placeholder days', async () => {
    const mended = async (text: string, code: string, options: IngestOptions = {}) => {
      const { warnings } = await preview(text, options)
      return optionsOf(warnings.find((warning) => warning.code === code)?.remedies ?? null)
    }
    expect(await mended('n;v\n1;01/02/2024\n', 'day-and-month-ambiguous')).to.deep.equal([
      { columns: [{ name: 'v', type: 'date', dateFormat: 'MM/DD/YYYY' }] },
    ])
    expect(await mended('n;v\n1;01/02/24\n', 'pattern-would-fit')).to.deep.equal([
      { columns: [{ name: 'v', type: 'date', pattern: 'M/d/yy' }] },
    ])
    expect(await mended('n;v\na;1,234\n', 'decimal-sign-ambiguous')).to.deep.equal([
      { decimal: '.' },
      { decimal: ',' },
    ])
    const days = 'n;v\n1;1970-01-01\n2;1982-05-17\n'
    expect(await mended(days, 'placeholder-dates', { timezone: 'UTC' })).to.deep.equal([
      { timezone: 'UTC', datePlaceholders: false },
    ])
    const numbers = `n;v\n${'a;12\n'.repeat(40)}a;x\n`
    expect(await mended(numbers, 'stays-text')).to.deep.equal([
      { columns: [{ name: 'v', type: 'number' }], onInvalid: 'skip' },
    ])
    const greek = Buffer.from([0xcc, 0xe1, 0xf1, 0xdf, 0xe1])
    const { warnings } = await preview(
      Buffer.concat([Buffer.from('n;v\n1;'), greek, Buffer.from('\n')]),
    )
    expect(optionsOf(warnings[0]!.remedies ?? null)).to.deep.include({ encoding: 'windows-1253' })
  })
})
