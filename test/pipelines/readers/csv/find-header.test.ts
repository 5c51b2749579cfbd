import { Readable } from 'node:stream'

import { expect } from 'chai'

import { csvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { openReading } from '../../../contracts/reader.ts'

/** The row that was taken for the header, counted from 1. */
async function headerOf(...lines: readonly string[]): Promise<number> {
  const stream = () => Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))])
  const reading = await openReading(csvFormat, stream)
  const { table } = reading.table()
  await reading.close()
  return table!.header.rows.at(-1)!
}

const DATA = ['A;chaise;;12,50;3', 'B;table;x;120,00;1', 'C;lampe;;35,90;2']

describe('the header of a CSV', () => {
  it('is found below a title that is padded to the full width, even with blank names', async () => {
    expect(await headerOf('Rapport annuel;;;;', 'Code;Libellé;;Prix;Nombre', ...DATA)).to.equal(2)
  })

  it('may repeat names below a title', async () => {
    expect(await headerOf('Rapport annuel;;;;', 'Code;Note;Note;Prix;Nombre', ...DATA)).to.equal(2)
  })

  it('is found below several padded titles', async () => {
    const titles = ['Rapport annuel;;;;', 'Exercice 2026;;;;', ';;;;']
    expect(await headerOf(...titles, 'Code;Libellé;;Prix;Nombre', ...DATA)).to.equal(4)
  })

  it('is found below a block that ends with a blank row', async () => {
    const block = ['Rapport annuel;;;;', 'Client;ACME;;;', 'Édité le;31/12/2026;;;', ';;;;']
    expect(await headerOf(...block, 'Code;Libellé;;Prix;Nombre', ...DATA)).to.equal(5)
    expect(await headerOf(...block, '', 'Code;Note;Note;Prix;2026', ...DATA)).to.equal(6)
  })

  it('may name years in a row', async () => {
    const data = ['A;1;2;3', 'B;4;5;6']
    expect(await headerOf('Ventes;;;', 'Produit;2024;2025;2026', ...data)).to.equal(2)
    expect(await headerOf('Ventes;;;', 'Produit;2026;2025;Écart', ...data)).to.equal(2)
    expect(await headerOf('Nom;;;', 'Zoé;1985;2020;x', ...data)).to.equal(1)
  })

  it('is the first row where rows of data follow, however few names it has', async () => {
    expect(await headerOf('Nom;;;;', ...DATA)).to.equal(1)
    expect(await headerOf('Nom;;', 'A;1;2', 'B;3;4')).to.equal(1)
    expect(await headerOf('Nom;', 'A;B', 'C;D')).to.equal(1)
    expect(await headerOf('a;;c', 'x;y;z', 'u;v;w')).to.equal(1)
  })

  it('is the first row where all rows are of texts', async () => {
    expect(await headerOf('Nom;Ville;Pays', 'Zoé;Brest;France', 'Ana;Porto;Portugal')).to.equal(1)
  })

  it('is the first row when there are blank rows among the data', async () => {
    expect(await headerOf('Nom;Ville;Pays', '', 'Zoé;Brest;France', ';;', 'Ana;;')).to.equal(1)
  })

  it('is none where records of other widths stand above rows of one width', async () => {
    const lead = ['LOCATION;Brest;-;FRA', 'PERIODS;1;1/1;31/12;x;y;z;u;v;w', 'DATA;1']
    const rows = Array.from({ length: 12 }, (_, at) => `2018;1;${at};B8?0${at};2.${at};9999`)
    const text = [...lead, ...rows].join('\n')
    const reading = await openReading(csvFormat, () => Readable.from([Buffer.from(text)]))
    const batch = await reading.next()
    const { header, titles, firstRow } = reading.table().table!
    await reading.close()
    expect(batch!.width).to.equal(6)
    expect({ header: header.rows, firstRow }).to.deep.equal({ header: [], firstRow: 4 })
    expect(titles.map(({ line }) => line)).to.deep.equal([1, 2, 3])
  })
})
