import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createEngine, type IngestOptions } from '../../../pipelines/index.ts'
import { workbookOf } from '../../../benchmarks/outline/workbook-of.ts'

const engine = createEngine({ tempDir: tmpdir() })

async function see(content: string | Buffer, options: IngestOptions = {}) {
  const source = {
    kind: 'bytes',
    name: 'fichier',
    open: async () => Readable.from([Buffer.from(content)]),
  } as const
  const { signal } = new AbortController()
  const { columns, rows, table, warnings, input } = await engine.preview(source, options, {
    limit: 100,
    signal,
  })
  return {
    names: columns.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell) => (cell === null ? null : JSON.parse(cell)))),
    titles: table!.titles.map(({ line }) => line),
    header: table!.header.rows,
    warnings,
    repaired: input.repaired,
  }
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

describe('the first lines of a text', () => {
  it('may repeat the header, which is left out with a warning and never joined', async () => {
    for (const [text, names] of [
      ['Nom\nNom\nDurand\nPetit', ['Nom']],
      ['Nom;Âge\nNom;Âge\nNom;Âge\nDurand;12\nPetit;15', ['Nom', 'Âge']],
      ['Membres\n\nNom;Âge\nNom;Âge\nDurand;12\nPetit;15', ['Nom', 'Âge']],
    ] as const) {
      const seen = await see(text)
      expect(seen.names).to.deep.equal(names)
      expect(seen.rows.map(([name]) => name)).to.deep.equal(['Durand', 'Petit'])
      expect(seen.warnings.map(({ code }) => code)).to.include('header-inside')
    }
  })

  it('keep what repeats the header where there is nothing else, or a header was named', async () => {
    expect((await see('Nom\nNom')).rows).to.deep.equal([['Nom']])
    expect((await see('Nom\nNom\nDurand', { headerRow: 1 })).rows).to.have.length(2)
  })

  it('are followed by a ruler, which is left out with a warning', async () => {
    for (const ruler of ['----,-----,---', '====,=====,===']) {
      const seen = await see(`Name,Value,Day\n${ruler}\nA,12,x\nB,13,y\nC,14,z`)
      expect(seen.header, ruler).to.deep.equal([1])
      expect(seen.rows.map(([, value]) => value)).to.deep.equal([12, 13, 14])
      expect(seen.warnings.map(({ code }) => code)).to.deep.equal(['lines-left-out'])
    }
  })

  it('hold the table where many notes stand below its only row', async () => {
    const notes = lines(
      14,
      (at) =>
        `,${at}. Valeur de ce qui a été versé au titre du mois au prorata des jours ouvrés,,,,`,
    )
    const above = 'Rémunération,,,,,\nPériode :,janvier 2020,,,,\nMatricule,Nom,Rendements,,,Total'
    const text = `${above}\n,,Base,Autres,Prime,\n1009,Durand,3000,150,200,3350\n,,,,,\n${notes}`
    const seen = await see(text, { onInvalid: 'skip', ragged: 'pad' })
    expect(seen.header).to.deep.equal([3, 4])
  })

  it('may be decoration, metadata, a date of export, or delimiters alone', async () => {
    const rows = lines(8, (at) => `Durand${at};Dole;métier ${at % 3};actif`)
    const names = 'Nom;Ville;Métier;Statut'
    for (const above of [
      '-----明细列表-----;;;',
      '*** Liste ***',
      '====\nListe\n====',
      '"EXTF";700;21;"Buchungsstapel"',
      'Généré le;2024-03-12;;',
      'Export du 12/03/2024 10:15',
      ';;;',
      ',,,',
    ]) {
      const seen = await see(`${above}\n${names}\n${rows}`)
      expect(seen.names, above).to.deep.equal(names.split(';'))
      expect(seen.rows).to.have.length(8)
    }
    expect((await see(',,,\nnom\nDurand\nPetit')).names).to.deep.equal(['nom'])
  })

  it('are rows where they are of values, in most columns of figures', async () => {
    for (const text of [
      lines(20, (at) => `41.30139110180${26 + at},2.1${at},Rue des Lilas ${'abc'[at % 3]}`),
      lines(20, (at) => `${at + 1};3${'ABC'[at % 3]};${'ALI BEN EVA'.split(' ')[at % 3]};Hassana`),
      lines(12, (at) => `2024-01-${10 + at},Durand,${at}.25`),
    ]) {
      const { header, rows, warnings } = await see(text)
      expect(header, text).to.deep.equal([])
      expect(rows).to.have.length(text.split('\n').length)
      expect(warnings.map(({ code }) => code)).to.include('header-looks-like-data')
    }
  })

  it('may say more of the export than the table has columns', async () => {
    const meta =
      '"EXTF";700;21;"Buchungsstapel";12;20230101000000000;;"RE";"";"";1234;567;20230101;4'
    for (const above of [meta, `${meta};"Jan";"WD";1;0;0;"EUR";;;;;;;`]) {
      const rows = lines(12, (at) => `${at * 10},50;"S";"EUR";${1200 + at};8400`)
      const seen = await see(`${above}\nUmsatz;Soll/Haben;WKZ;Konto;Gegenkonto\n${rows}`)
      expect(seen).to.deep.include({ titles: [1], header: [2] })
      expect(seen.names).to.deep.equal(['Umsatz', 'Soll/Haben', 'WKZ', 'Konto', 'Gegenkonto'])
      expect(seen.rows).to.have.length(12)
    }
  })

  it('may be labels beside their values, in any number, above the names', async () => {
    const table = 'Date,Description,Debit,Credit\n2024-02-01,Card,12.5,\n2024-02-03,Pay,,99'
    for (const above of [
      'Report For:,Acme,,',
      'Report For:,Acme,,\nPeriod:,2024-02,,',
      'Report For:,Acme,Period:,February',
    ]) {
      const seen = await see(`${above}\n${table}`)
      expect(seen.names, above).to.deep.equal(['Date', 'Description', 'Debit', 'Credit'])
      expect(seen.titles, above).to.deep.equal(above.split('\n').map((_, at) => at + 1))
    }
    const years = await see('Année :,2019,,2020,\nSexe :,m,f,m,f\nBrest,1,2,3,4\nDole,5,6,7,8')
    expect(years.header).to.deep.equal([1, 2])
  })

  it('are rows of codes and words where one of them could be no name', async () => {
    for (const text of [
      'A001;AB-12;x@y.fr\nA002;AB-13;z@y.fr\nA003;CD-14;w@y.fr',
      'state;MX-AGU;Centro;;es\nstate;MX-BCN;Baja;;es\nstate;MX-CAM;Sur;;es\nstate;MX-CHP;Alto;;es',
      'FR-1;https://a.fr/1\nFR-2;https://a.fr/2\nFR-3;https://a.fr/3',
    ]) {
      const { rows, warnings } = await see(text)
      expect(rows, text).to.have.length(text.split('\n').length)
      expect(warnings.map(({ code }) => code)).to.include('header-looks-like-data')
    }
    for (const text of [
      'code;nom;courriel\nA001;AB-12;x@y.fr\nA002;AB-13;z@y.fr',
      'unité;pays;total\nkg;fr;total\nkg;de;total\nkg;es;total\nkg;it;total',
      'A;B\nA;B\nA;B\nA;B',
    ]) {
      expect((await see(text)).header, text).to.deep.equal([1])
    }
  })

  it('are divided at the delimiter whose fields are quoted, whatever stands before it', async () => {
    const { names, rows } = await see('"a"\t, "b"\n"1"\t, "2"\n"3"\t, "4, x"\n')
    expect(names).to.deep.equal(['a', 'b'])
    expect(rows).to.deep.equal([
      [1, '2'],
      [3, '4, x'],
    ])
  })

  it('are rows where few others count on from them, but not below a year', async () => {
    const few = await see('1;3A;ALI;Hassana\n2;3B;OMAR;Said\n3;3A;ALI;Moina')
    expect(few.header).to.deep.equal([])
    expect(few.rows).to.have.length(3)
    expect((await see('2019;Nom\n2020;Durand\n2021;Petit')).header).to.deep.equal([1])
    expect((await see('1;Nom\n17;Durand\n31;Petit')).header).to.deep.equal([1])
  })

  it('are warned of where they are a header of words, with numbers above numbers', async () => {
    const seen = await see('Durand;Paris;12\nMartin;Lyon;14\nPetit;Nice;11')
    expect(seen.header).to.deep.equal([1])
    expect(seen.warnings.map(({ code }) => code)).to.include('header-looks-like-data')
    expect((await see('Nom;Ville;Âge\nDurand;Lyon;14\nPetit;Nice;11')).warnings).to.deep.equal([])
  })

  it('are warned of where they are a header that says what rows say, or is written like them', async () => {
    for (const text of [
      'AF,Afghanistan\nAL,Albania\nDZ,Algeria\nAD,Andorra\nAO,Angola\nAR,Argentina',
      'Brest,Finistère\nQuimper,Finistère\nRennes,Ille-et-Vilaine\nVannes,Morbihan',
      lines(6, (at) => `Pays n° ${at} (A${'BCDEFG'[at]})`),
    ]) {
      const { header, warnings } = await see(text)
      expect(header, text).to.deep.equal([1])
      expect(warnings.map(({ code }) => code)).to.include('header-looks-like-data')
    }
    for (const text of [
      'Code,Pays\nAF,Afghanistan\nAL,Albania\nDZ,Algeria\nAD,Andorra\nAO,Angola\nAR,Argentina',
      'nom,pays,code,UE\nParis,France,A,UE\nBerne,Suisse,B,\nRome,Italie,C,UE',
    ]) {
      expect((await see(text)).warnings, text).to.deep.equal([])
    }
  })

  it('are warned of where their commas may be those of a title, as in no row', async () => {
    const title = 'Liste des communes, cantons, arrondissements du Finistère'
    const rows =
      'Commune,Canton,Arrondissement\nBrest,Brest-1,Nord\nDaoulas,Pont,Nord\nSizun,Mer,Sud'
    const { warnings } = await see(`${title}\n${rows}`)
    expect(warnings[0]!.remedies![0]!.options).to.deep.equal({ headerRow: 2 })
    expect(
      (await see('nom, âge, ville\nann,12,Brest\nbob,13,Lyon\nzoé,14,Lille')).warnings,
    ).to.deep.equal([])
  })

  it('are a title where one text stands alone above words, right of the first column', async () => {
    const rows = 'Nom;Prénom;Ville\nLee;Ann;Brest\nDupont;Zoé;Nantes\nMartin;Léa;Lyon'
    const seen = await see(`;Liste des agents;\n${rows}`)
    expect(seen).to.deep.include({ titles: [1], header: [2] })
    const group = await see(';Effectifs;\nVille;Hommes;Femmes\nBrest;12;13\nLyon;14;15\nLille;5;6')
    expect(group.names).to.deep.equal(['Ville', 'Effectifs Hommes', 'Effectifs Femmes'])
  })

  it('leave the only row below a header to the data', async () => {
    expect(await see('a,,c\n,x,')).to.deep.include({ header: [1], rows: [[null, 'x', null]] })
    expect((await see('a,, ,b,\t\n1,2,3,4,5')).rows).to.deep.equal([[1, 2, 3, 4, 5]])
  })

  it('may be quoted as a whole, like all others, and are unquoted once more', async () => {
    const text = `"id;nom;note"\n${lines(9, (at) => `"${at};""Durand; fils"";dit ""${at}"""`)}\n`
    const seen = await see(text.replaceAll('dit ', ''))
    expect(seen.names).to.deep.equal(['id', 'nom', 'note'])
    expect(seen.rows[3]).to.deep.equal([3, 'Durand; fils', 3])
    expect(seen.repaired).to.include({ linesUnquoted: 10 })
    expect(seen.warnings.map(({ code }) => code)).to.include('repaired')
    const long = await see(`"a,b,c"\r\n${'"1,""x\ny"",3"\r\n'.repeat(20_000)}`)
    expect(long.rows[99]).to.deep.equal([1, 'x\ny', 3])
  })

  it('have their names divided at blanks where tabs divide the rows, and figures stand below', async () => {
    for (const [above, names] of [
      ['id name points', 'id|name|points'],
      ['id   first name  points', 'id|first name|points'],
    ] as const) {
      const seen = await see(`${above}\n1\tAnn\t12\n2\tBob\t14`)
      expect(seen.names.join('|')).to.equal(names)
      expect(seen.rows).to.deep.equal([
        [1, 'Ann', 12],
        [2, 'Bob', 14],
      ])
      expect(seen.repaired).to.include({ namesAtBlanks: 3 })
      expect(seen.warnings.map(({ code }) => code)).to.deep.equal(['repaired'])
    }
    const titled = await see('Points par personne\nid\tname\tpoints\n1\tAnn\t12\n2\tBob\t14')
    expect(titled.names).to.deep.equal(['id', 'name', 'points'])
  })

  it('lack the name of the first column where each row has one field more and another beginning, as R writes', async () => {
    const rows = ['"1","AK",0.5', '"2","AL",1.5', '"3","AZ",2.5']
    for (const delimiter of [',', '\t', ' ']) {
      const text = ['"state","share"', ...rows].join('\n').replaceAll(',', delimiter)
      const seen = await see(text)
      expect(seen.names, delimiter).to.deep.equal(['Sans titre 1', 'state', 'share'])
      expect(seen.rows).to.deep.equal([
        [1, 'AK', 0.5],
        [2, 'AL', 1.5],
        [3, 'AZ', 2.5],
      ])
      expect(seen.repaired).to.include({ namesMoved: 2 })
    }
    const blankEnd = await see(['a,b', '1,2,', '2,3,', '3,4,'].join('\n'))
    expect(blankEnd.names).to.deep.equal(['a', 'b'])
  })

  it('may have a space behind every delimiter, which is of it, but not where a field lacks it', async () => {
    for (const [text, names, row] of [
      [
        'id, nom, ville\n1, Ann, Brest\n2, Bob, "Lyon, FR"\n3, , Dole',
        'id nom ville',
        ['1', 'Bob'],
      ],
      ['id; nom; ville\n1;   Ann; Brest\n2; Bob; Lyon, FR\n3;; Dole', 'id nom ville', ['1', 'Bob']],
      ['id,nom,ville\n1, Ann,Brest\n2, Bob,Lyon\n3,Eva,Dole', 'id nom ville', ['1', ' Bob']],
    ] as const) {
      const seen = await see(text)
      expect(seen.names.join(' '), text).to.equal(names)
      expect(seen.rows[0]![0]).to.equal(Number(row[0]))
      expect(seen.rows[1]![1], text).to.equal(row[1])
      if (!text.includes('Ann,Brest')) expect(seen.rows[1]![2]).to.equal('Lyon, FR')
    }
  })

  it('stay one column where what is quoted is prose', async () => {
    for (const text of [
      '"avis"\n"beau, mais loin"\n"trop bruyant, hélas"\n"bien"',
      '"Nom, prénom"\n"Durand, Jean"\n"Petit, Anne"',
      '"a;b;c"\n1;2;3\n',
    ]) {
      const seen = await see(text, { onInvalid: 'skip', ragged: 'pad' })
      expect(seen.repaired.linesUnquoted, text).to.equal(0)
    }
  })
})

describe('the same rows as text and as workbook', () => {
  it('have the header at their first where each fills one cell of several, as trees do', async () => {
    const branch = (at: number) => [
      ['', `Thème ${at}`],
      ...lines(6, (leaf) => `Feuille ${at}.${leaf}`)
        .split('\n')
        .map((leaf) => ['', '', leaf]),
    ]
    const rows = [['Thèmes'], ...Array.from({ length: 9 }, (_, at) => branch(at)).flat()]
    const wide = rows.map((row) => Array.from({ length: 3 }, (_, at) => row[at] ?? ''))
    const workbook = await see(await workbookOf({ rows, merged: [] }))
    const text = await see(wide.map((row) => row.join(';')).join('\n'))
    expect([workbook.header, text.header]).to.deep.equal([[1], [1]])
  })

  const rowsOfShare = (share: number) =>
    Array.from({ length: 40 }, (_, at) =>
      at % 20 < share * 20 ? [`Article ${at}`, at, at * 5] : [`Article ${at} seul`],
    )

  for (const share of [0.05, 0.25, 0.5, 0.75, 1]) {
    it(`have the same table where ${share * 100} % of them fill more than their first cell`, async () => {
      const rows = [['Inventaire 2023'], ['Nom', 'Quantité', 'Prix'], ...rowsOfShare(share)]
      const workbook = await see(await workbookOf({ rows, merged: [] }))
      const padded = rows.map((row) => Array.from({ length: 3 }, (_, at) => row[at] ?? ''))
      for (const cells of [rows, padded]) {
        const text = await see(cells.map((row) => row.join(';')).join('\n'), { ragged: 'pad' })
        expect(text).to.deep.include({
          names: ['Nom', 'Quantité', 'Prix'],
          header: [2],
          titles: [1],
          rows: workbook.rows,
        })
      }
      expect(workbook).to.deep.include({ names: ['Nom', 'Quantité', 'Prix'], header: [2] })
    })
  }
})
