import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import {
  createEngine,
  EngineError,
  type IngestOptions,
  type Preview,
} from '../../../pipelines/index.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'

const engine = createEngine({ tempDir: tmpdir() })

function preview(content: string | Buffer, options: IngestOptions = {}): Promise<Preview> {
  const open = async () => Readable.from([Buffer.from(content)])
  const { signal } = new AbortController()
  return engine.preview({ kind: 'bytes', open }, options, { limit: 1000, signal })
}

const namesIn = ({ columns }: Preview) => columns.map(({ name }) => name)
const typesIn = ({ columns }: Preview) => columns.map(({ type }) => type)
const codesIn = ({ warnings }: Preview) => warnings.map(({ code }) => code)
const rowsIn = ({ rows }: Preview): unknown[][] =>
  rows.map((row) => row.map((cell) => (cell === null ? null : JSON.parse(cell))))
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

const SIDE_BY_SIDE =
  'Service;Budget;;Agent;Grade\nVoirie;100;;Durand;A\nÉcoles;250;;Petit;B\n' +
  'Eau;300;;Martin;A\nParcs;50;;;\nSports;70;;;\n'

async function refused(content: string, options: IngestOptions): Promise<string> {
  const error: unknown = await preview(content, options).catch((reason: unknown) => reason)
  if (!(error instanceof EngineError) || error.problem.kind !== 'options') throw error
  return error.problem.pointer
}

describe('a whole sheet', () => {
  describe('that is a CSV', () => {
    const warnedOf = ({ warnings }: Preview, wanted: string) =>
      warnings.filter(({ code }) => code === wanted).map(({ line }) => line)

    it('is warned of where another table as wide is read as its rows, apart or not', async () => {
      const cities = 'Ville,Habitants,Surface\nBrest,139,49\nLyon,522,47\n'
      const people = `Nom,Montant,Part\n${lines(9, (at) => `A${at},${at}5,4`)}`
      for (const between of ['', ',,\n']) {
        const seen = await preview(people + between + cities)
        expect(warnedOf(seen, 'tables-joined')).to.deep.equal([between === '' ? 11 : 12])
        expect(seen.rows).to.have.length(12)
      }
      expect(warnedOf(await preview(people), 'tables-joined')).to.deep.equal([])
      expect(warnedOf(await preview(`${people}Zoé,inconnu,3\n`), 'tables-joined')).to.deep.equal([])
      const dates = `Nom;Né le\n${lines(12, (at) => `a${at};0${(at % 9) + 1}/02/1990`)}`
      const unknown = await preview(`${dates}b;inconnue\nc;03/02/1990\n`)
      expect(warnedOf(unknown, 'tables-joined')).to.deep.equal([])
      const marks = 'nom,actif,note\na,Oui,NC\nb,Non,12\nc,oui,ABS\nd,NON,15\n'
      expect(warnedOf(await preview(marks), 'tables-joined')).to.deep.equal([])
      const again = await preview(`${people}Nom,Montant,Part\nB,1,2\n`)
      expect(codesIn(again)).to.include('header-inside').and.not.include('tables-joined')
    })

    it('is warned of where rows may be headings of those below', async () => {
      const rows = (name: string) =>
        `${name};;\n${lines(4, (at) => `2024-03-0${at + 1};Achat;${at}5`)}`
      const seen = await preview(
        `Date;Objet;Montant\n${rows('Compte courant')}${rows('Livret A')}`,
        {
          columns: [{ name: 'Date', type: 'text' }],
        },
      )
      expect(warnedOf(seen, 'headings-inside')).to.deep.equal([2])
      expect(seen.rows).to.have.length(10)
      const sparse = `Nom;Ville;Note\n${lines(9, (at) => `A${at};${at % 2 ? 'Lyon;b' : ';'}`)}`
      expect(warnedOf(await preview(sparse), 'headings-inside')).to.deep.equal([])
    })

    it('is warned of where lines that may be rows are left out as notes', async () => {
      const towns = `Ville;Inscrits;Votants\n${lines(6, (at) => `V${at};${at}10;${at}05`)}`
      for (const tail of ['\n23\n', '\nPSP;\n', 'Blanc;\n\nNul;;\n']) {
        const seen = await preview(towns + tail)
        const left = seen.table!.notes.map(({ line }) => line)
        expect(left.length, tail).to.be.above(0)
        expect(warnedOf(seen, 'lines-left-out'), tail).to.deep.equal([left[0]])
        const { remedies } = seen.warnings.find(({ code }) => code === 'lines-left-out')!
        const whole = await preview(towns + tail, remedies![0]!.options)
        expect(whole.rows, tail).to.have.length(seen.rows.length + left.length)
      }
      const texts =
        'Association,Objet\nAmis du Parc,jardin\nChorale,chant\nLes Randonneurs,marche\n'
      const long = 'Union sportive et culturelle des habitants du quartier de la gare et du port'
      for (const tail of [`${long},\n`, `${long}\n`]) {
        expect(warnedOf(await preview(texts + tail), 'lines-left-out'), tail).to.deep.equal([5])
        expect(warnedOf(await preview(`${texts}\n${tail}`), 'lines-left-out')).to.deep.equal([])
      }
      const source = '\nSource : Ministère de l’Intérieur\n* résultats provisoires\n'
      const seen = await preview(towns + source)
      expect(seen.table!.notes).to.have.length(2)
      expect(codesIn(seen)).not.to.include('lines-left-out')
    })

    it('keeps a row whose one text comes again in its column, or is of a list of such', async () => {
      const marks = `Renvoi;Code;Part\n(1);A1;5\n12 bis;A2;6\n(1);A3;\n4;A4;7\n`
      for (const tail of ['(1);;', '12 bis;;', '(3);;']) {
        const seen = await preview(`${marks}${tail}\n`)
        expect(seen.rows, tail).to.have.length(5)
      }
      const words = `Ville,Lieu\nBrest,Hôpital\nDole,Lycée\n,Théâtre\nVire,Musée\n,Mairie\n,Source\n`
      expect((await preview(words)).rows).to.have.length(6)
    })

    for (const rows of [2, 30, 38, 39, 200]) {
      it(`is split at semicolons where ${rows} rows have decimal commas in every cell`, async () => {
        const row = (at: number) => `48,${100 + at};2,${300 + at}`
        const seen = await preview(`Latitude;Longitude\n${lines(rows, row)}`)
        expect(namesIn(seen)).to.deep.equal(['Latitude', 'Longitude'])
        expect(typesIn(seen)).to.deep.equal(['number', 'number'])
        expect(seen.rows).to.have.length(rows)
      })
    }

    for (const columns of [4, 300]) {
      it(`is split at semicolons in ${columns} columns of decimal commas`, async () => {
        const names = Array.from({ length: columns }, (_, at) => `C${at}`)
        const row = (at: number) => names.map((_, column) => `${at + column},5`).join(';')
        const seen = await preview(`${names.join(';')}\n${lines(60, row)}`)
        expect(namesIn(seen)).to.deep.equal(names)
        expect(seen.rows).to.have.length(60)
      })
    }

    it('is not split at the commas of addresses', async () => {
      const row = (at: number) => `${at};${at} rue des Lilas,75011,Paris`
      const seen = await preview(`Id;Adresse\n${lines(50, row)}`)
      expect(namesIn(seen)).to.deep.equal(['Id', 'Adresse'])
      expect(rowsIn(seen)[0]).to.deep.equal([0, '0 rue des Lilas,75011,Paris'])
    })

    const ROWS = lines(10, (at) => `A${at};Lyon;${at},5;2`)

    it('has its header below a row of delimiters alone', async () => {
      const seen = await preview(`;;;\nNom;Ville;Prix;Nombre\n${ROWS}`)
      expect(namesIn(seen)).to.deep.equal(['Nom', 'Ville', 'Prix', 'Nombre'])
      expect(seen.table).to.deep.include({ header: { rows: [2] }, firstRow: 3, lastRow: 12 })
    })

    it('has its header below a padded title and a padded blank row', async () => {
      const seen = await preview(`Ventes 2023;;;\n;;;\nNom;Ville;Prix;Nombre\n${ROWS}`)
      expect(namesIn(seen)).to.deep.equal(['Nom', 'Ville', 'Prix', 'Nombre'])
      expect(typesIn(seen)).to.deep.equal(['text', 'text', 'number', 'number'])
      expect(seen.table!.titles).to.deep.equal([{ line: 1, text: 'Ventes 2023' }])
    })

    it('may have blanks before its quotes', async () => {
      const seen = await preview('nom, ville, prix\n"Durand, SA", "Lyon, 3e", 12\n')
      expect(rowsIn(seen)).to.deep.equal([['Durand, SA', 'Lyon, 3e', 12]])
      expect(seen.input.repaired).to.include({ spacesAroundQuotes: 1 })
    })

    it('may have blanks around some of its quotes, at the end of lines too', async () => {
      const seen = await preview('a,b,"c" \n"x","y", "z"\n"u, 1" ,"v","w"\t \n')
      expect(namesIn(seen)).to.deep.equal(['a', 'b', 'c'])
      expect(rowsIn(seen)).to.deep.equal([
        ['x', 'y', 'z'],
        ['u, 1', 'v', 'w'],
      ])
      expect(seen.input.repaired).to.include({ spacesAroundQuotes: 4 })
      const single = await preview('"nom" \n"Durand" \n"Petit"')
      expect([namesIn(single), rowsIn(single)]).to.deep.equal([['nom'], [['Durand'], ['Petit']]])
    })

    it('keeps blanks before quotes where one of them opens no field', async () => {
      const seen = await preview('a,b\n"x", "y"\n"u", "v" said w\n')
      expect(rowsIn(seen)).to.deep.equal([
        ['x', ' "y"'],
        ['u', ' "v" said w'],
      ])
    })

    it('has a header of two rows, and units below names', async () => {
      const groups =
        'Région;2022;;2023;\n;Hommes;Femmes;Hommes;Femmes\nBretagne;1;2;3;4\nCorse;5;6;7;8\n'
      expect(namesIn(await preview(groups))).to.deep.equal([
        'Région',
        '2022 Hommes',
        '2022 Femmes',
        '2023 Hommes',
        '2023 Femmes',
      ])
      const units = 'Station;Température;Débit\n;°C;m3/s\nA;12,5;3\nB;13,1;4\nC;9,8;5\n'
      const seen = await preview(units)
      expect(namesIn(seen)).to.deep.equal(['Station', 'Température °C', 'Débit m3/s'])
      expect(typesIn(seen)).to.deep.equal(['text', 'number', 'number'])
    })

    it('ends above its notes, which the report keeps', async () => {
      const seen = await preview(
        'Nom;Ville;Prix\nA;Lyon;1\nB;Paris;2\n\nSource : Insee\nProvisoire\n',
      )
      expect(seen.rows).to.have.length(2)
      expect(seen.table).to.deep.include({
        lastRow: 3,
        notes: [
          { line: 5, text: 'Source : Insee' },
          { line: 6, text: 'Provisoire' },
        ],
      })
    })

    it('warns of a header that is repeated inside, and keeps it as a row', async () => {
      const seen = await preview('Nom;Ville;Prix\nA;Lyon;1\nB;Paris;2\nNom;Ville;Prix\nC;Nice;3\n')
      expect(seen.rows).to.have.length(4)
      expect(seen.warnings.find(({ code }) => code === 'header-inside')).to.include({ line: 4 })
    })

    it('tells where tables of a page begin that are read as rows of one', async () => {
      const row = (...cells: unknown[]) => `<tr><td>${cells.join('</td><td>')}</td></tr>`
      const page = (...tables: string[]) =>
        preview(tables.map((rows) => `<table>${rows}</table>`).join('<p>'))
      const joinedIn = async (seen: Promise<Preview>) =>
        (await seen).warnings.filter(({ code }) => code === 'tables-joined').map(({ line }) => line)
      const first = row('Nom', 'Prix') + row('A', 1) + row('B', 2)
      const second = row('Ville', 'Code') + row('Lyon', 3)
      expect(await joinedIn(page(first))).to.deep.equal([])
      expect(await joinedIn(page(first, second, row('C', 4)))).to.deep.equal([5])
      // The names in a table of their own, and its rows in another.
      expect(await joinedIn(page(row('Nom', 'Prix'), row('A', 1) + row('B', 2)))).to.deep.equal([])
      const wide = row('Nom', 'Ville', 'Prix', 'Jour')
      const rows = Array.from({ length: 9 }, (_, at) => row('A', 'Lyon', at, '2024-01-02'))
      const other = page(wide + rows.join(''), first)
      expect(await joinedIn(other)).to.deep.equal([])
      expect(codesIn(await other)).to.include('other-tables')
    })

    it('warns of a header that looks like data', async () => {
      expect(codesIn(await preview('1;2;3\n4;5;6\n7;8;9\n'))).to.include('header-looks-like-data')
    })

    it('gives the largest of its tables, and tells where others stand', async () => {
      const small = 'Nom;Prix\nA;1\nB;2\nC;3\n'
      const large = `Code;Libellé;Montant\n${lines(9, (at) => `X${at};aa;${at}`)}`
      const seen = await preview(`Ventes\n\n${small}\nAchats\n\n${large}`)
      expect(namesIn(seen)).to.deep.equal(['Code', 'Libellé', 'Montant'])
      expect(seen.warnings.find(({ code }) => code === 'other-tables')).to.include({ line: 1 })
      const first = await preview(`${large}\n${small}`)
      expect(first.rows).to.have.length(9)
      expect(codesIn(first)).to.include('other-tables')
    })

    it('warns of totals, with the sum that shows them', async () => {
      const seen = await preview(
        'Service;Budget\nVoirie;100\nÉcoles;200\nTotal;300\nEau;5\nParcs;6\nTotal;11\n',
      )
      const totals = seen.warnings.filter(({ code }) => code === 'total')
      expect(totals.map(({ line }) => line)).to.deep.equal([4, 7])
      expect(totals[0]).to.include({ column: 'Budget' })
      const french = await preview('Poste;Montant\na;1 000,50\nb;323,00\nTotal;1 323,50\n')
      const total = french.warnings.find(({ code }) => code === 'total')
      expect(String(total!.message)).to.contain('“Montant” is 1 323,50, the sum')
      expect(seen.rows).to.have.length(6)
      expect(codesIn(await preview('Nom;n\na;1\nb;2\nc;3\n'))).to.deep.equal([])
    })

    it('warns of a column that stays text because of a few values', async () => {
      const values = lines(40, (at) => `a;${at}`)
      const seen = await preview(`Nom;Prix\n${values}b;environ 12\n`)
      expect(typesIn(seen)).to.deep.equal(['text', 'text'])
      expect(seen.warnings.find(({ code }) => code === 'stays-text')).to.include({
        column: 'Prix',
        line: 42,
      })
    })

    it('warns of letters that look misread', async () => {
      const seen = await preview(Buffer.from('Prénom;Ville\nHél\x8ane;Orl\x82ans\n', 'latin1'))
      expect(seen.warnings.find(({ code }) => code === 'misread-characters')).to.include({
        line: 2,
      })
      const controls = await preview('Nom;Ville\nA;Lyon\nB;l\u0092Isle\n')
      expect(codesIn(controls)).to.deep.equal(['misread-characters'])
    })

    it('keeps control characters in its names, and warns of them', async () => {
      const names = ['N\u0092 de lot', 'Co\u009bt', 'prix (\u0080)']
      const seen = await preview(`${names.join(';')}\n1;2;3\n4;5;6\n`)
      expect(namesIn(seen)).to.deep.equal(names)
      expect(codesIn(seen)).to.include('misread-characters')
    })

    it('is one table where others stand beside it, which are named', async () => {
      const seen = await preview(SIDE_BY_SIDE)
      expect(namesIn(seen)).to.deep.equal(['Service', 'Budget'])
      expect(rowsIn(seen)).to.deep.equal([
        ['Voirie', 100],
        ['Écoles', 250],
        ['Eau', 300],
        ['Parcs', 50],
        ['Sports', 70],
      ])
      const others = seen.warnings.find(({ code }) => code === 'other-tables')
      expect(others).to.include({ line: 1 })
      expect(String(others?.message)).to.contain('D1:E4')
      const again = await preview('Nom;Âge;;Nom;Âge\nA;1;;D;4\nB;2;;E;5\nC;3;;F;6\n')
      expect(namesIn(again)).to.deep.equal(['Nom', 'Âge'])
      expect(codesIn(again)).to.include('other-tables')
    })

    it('has all columns where they may belong together, or a person says so', async () => {
      const said = await preview(SIDE_BY_SIDE, { headerRow: 1 })
      expect(said.columns).to.have.length(5)
      expect(codesIn(said)).not.to.include('other-tables')
      for (const text of [
        'Région;2010;;2010;2011\nNord;1;;2;3\nSud;4;;5;6\nEst;7;;8;9\n',
        'Nom;Prix;;Remarque\nA;1;;neuf\nB;2;;vu\nC;3;;\nD;4;;\n',
        'Nom;Prix;;Ville;Pays\nA;1;;Lyon;FR\nB;2;;Gand;BE\nC;3;;Nice;FR\n',
      ]) {
        const seen = await preview(text)
        expect(seen.columns, text).to.have.length(text.split('\n')[0]!.split(';').length)
        expect(codesIn(seen), text).not.to.include('other-tables')
      }
    })

    it('counts what is repaired in its header as in its rows', async () => {
      const seen = await preview('"Nom"x;Ville\nA;B\nC;"D"y\n')
      expect(seen.input.repaired).to.include({ quotesTakenLiterally: 2 })
    })
  })

  describe('for which a person says where the table is', () => {
    const SHEET = 'Titre\nx;y;z\na;b;c\n1;2;3\n4;5;6\n7;8;9\n\nSource : Insee\n'

    it('has its header in the lines that are named', async () => {
      const one = await preview(SHEET, { headerRow: 3 })
      expect(namesIn(one)).to.deep.equal(['a', 'b', 'c'])
      const two = await preview(SHEET, { headerRow: [2, 3] })
      expect(namesIn(two)).to.deep.equal(['x a', 'y b', 'z c'])
      expect(two.table).to.deep.include({ header: { rows: [2, 3] }, firstRow: 4, lastRow: 6 })
    })

    it('begins and ends where it is said', async () => {
      const seen = await preview(SHEET, { headerRow: 2, firstRow: 5, lastRow: 5 })
      expect(namesIn(seen)).to.deep.equal(['x', 'y', 'z'])
      expect(rowsIn(seen)).to.deep.equal([[4, 5, 6]])
      const header = await preview(SHEET, { firstRow: 4 })
      expect(header.table!.header.rows).to.include(3)
      expect(header.rows).to.have.length(3)
    })

    it('keeps the header that is found above rows which are left out', async () => {
      const sheet =
        'Rapport;;;\n;;;\nRégion;Ventes;;Date\n;Qté;CA;\n' +
        'Nord;1;10,5;05/01/2024\nSud;2;20,5;06/01/2024\nEst;3;30,5;07/01/2024\n'
      for (const firstRow of [5, 6, 7]) {
        const seen = await preview(sheet, { firstRow })
        expect(namesIn(seen)).to.deep.equal(['Région', 'Ventes Qté', 'Ventes CA', 'Date'])
        expect(seen.rows).to.have.length(8 - firstRow)
        const titles = seen.table!.titles.map(({ line }) => line)
        expect(titles).to.deep.equal([1, 5, 6].filter((line) => line < firstRow))
      }
      const total = 'Titre\n\na;b;c\nTOTAL;6;\nx;1;05/01/2024\ny;2;06/01/2024\nz;3;07/01/2024\n'
      expect(namesIn(await preview(total, { firstRow: 5 }))).to.deep.equal(['a', 'b', 'c'])
      const units = total.replace('TOTAL;6;', ';kg;')
      expect(namesIn(await preview(units, { firstRow: 5 }))).to.deep.equal(['a', 'b kg', 'c'])
    })

    it('gives every row that is not blank', async () => {
      const seen = await preview(SHEET, { firstRow: 1, headerRow: 0, notes: 'load' })
      expect(seen.columns).to.have.length(3)
      expect(rowsIn(seen).map(([first]) => first)).to.deep.equal([
        'Titre',
        'x',
        'a',
        '1',
        '4',
        '7',
        'Source : Insee',
      ])
    })

    it('takes notes for rows', async () => {
      const seen = await preview('Nom;Prix\nA;1\nB;2\n\nSource : Insee\n', { notes: 'load' })
      expect(rowsIn(seen).at(-1)).to.deep.equal(['Source : Insee', null])
      expect(seen.table).to.deep.include({ lastRow: 5, notes: [] })
    })

    it('repeats the value above where cells are blank', async () => {
      const text = 'Région;Ville;Prix\nNord;Lille;1\n;Lens;\n\nSud;Nice;3\n;Toulon;4\n'
      const some = await preview(text, { fillDown: ['Région'] })
      expect(rowsIn(some)).to.deep.equal([
        ['Nord', 'Lille', 1],
        ['Nord', 'Lens', null],
        ['Sud', 'Nice', 3],
        ['Sud', 'Toulon', 4],
      ])
      expect(rowsIn(await preview(text, { fillDown: true }))[1]).to.deep.equal(['Nord', 'Lens', 1])
    })

    it('is refused where that cannot be', async () => {
      expect(await refused(SHEET, { headerRow: 3, firstRow: 2 })).to.equal('/firstRow')
      expect(await refused(SHEET, { firstRow: 5, lastRow: 4 })).to.equal('/lastRow')
      expect(await refused(SHEET, { headerRow: [4, 3] })).to.equal('/headerRow')
      expect(await refused(SHEET, { fillDown: ['z'], headerRow: 3 })).to.equal('/fillDown/0')
    })
  })

  describe('that is in a workbook', () => {
    const table =
      textRow('Nom', 'Ville', 'Pays') + textRow('A', 'Lyon', 'FR') + textRow('B', 'Gand', 'BE')

    it('is looked for behind a cover', async () => {
      const cover = { name: 'Couverture', rows: textRow('Rapport annuel') + textRow('Direction') }
      const seen = await preview(rawWorkbook({ sheets: [cover, { name: 'Données', rows: table }] }))
      expect(namesIn(seen)).to.deep.equal(['Nom', 'Ville', 'Pays'])
      const others = seen.warnings.find(({ code }) => code === 'other-sheets')
      expect(String(others?.message)).to.contain('Couverture')
    })

    it('is no other than the range that is named', async () => {
      const rows =
        textRow('Titre', 'x', 'y', 'z') +
        textRow('', 'Nom', 'Ville', '') +
        textRow('note', 'A', 'Lyon', '!') +
        textRow('', 'B', 'Gand', '') +
        textRow('', 'C', 'Nice', '')
      const seen = await preview(rawWorkbook({ sheets: [{ rows }] }), { range: 'B2:C4' })
      expect(namesIn(seen)).to.deep.equal(['Nom', 'Ville'])
      expect(rowsIn(seen)).to.deep.equal([
        ['A', 'Lyon'],
        ['B', 'Gand'],
      ])
    })

    it('is one table where another stands beside it', async () => {
      const rows = SIDE_BY_SIDE.trim()
        .split('\n')
        .map((line) => textRow(...line.split(';')))
      const seen = await preview(rawWorkbook({ sheets: [{ rows: rows.join('') }] }))
      expect(namesIn(seen)).to.deep.equal(['Service', 'Budget'])
      expect(seen.rows).to.have.length(5)
      const others = seen.warnings.find(({ code }) => code === 'other-tables')
      expect(String(others?.message)).to.contain('D1:E4')
    })

    it('takes the names of merged cells for all that they span', async () => {
      const cell = (at: string, text: string) =>
        `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
      const xml =
        '<worksheet><sheetData>' +
        `<row r="1">${cell('A1', 'Région')}${cell('B1', '2022')}${cell('D1', 'Total')}</row>` +
        `<row r="2">${cell('B2', 'Hommes')}${cell('C2', 'Femmes')}</row>` +
        `<row r="3">${cell('A3', 'Bretagne')}<c r="B3"><v>1</v></c><c r="C3"><v>2</v></c><c r="D3"><v>3</v></c></row>` +
        `<row r="4">${cell('A4', 'Corse')}<c r="B4"><v>4</v></c><c r="C4"><v>5</v></c><c r="D4"><v>9</v></c></row>` +
        '</sheetData><mergeCells count="3"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:D2"/></mergeCells></worksheet>'
      const seen = await preview(rawWorkbook({ sheets: [{ xml }] }))
      expect(namesIn(seen)).to.deep.equal(['Région', '2022 Hommes', '2022 Femmes', 'Total'])
    })

    it('warns of formulas that have no result', async () => {
      const formula = '<row><c><v>1</v></c><c><f>A2*2</f></c><c><v>3</v></c></row>'
      const rows = textRow('a', 'b', 'c') + formula + formula
      const seen = await preview(rawWorkbook({ sheets: [{ rows }] }))
      expect(codesIn(seen)).to.deep.equal(['formulas-without-results'])
    })
  })
})
