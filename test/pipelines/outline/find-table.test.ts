import { expect } from 'chai'

import { findTable } from '../../../pipelines/outline/find-table.ts'
import { sheetOf } from './rows.ts'

const find = (text: string) => findTable(sheetOf(text))

describe('the table that is found in a sheet', () => {
  it('does not exist where no cell is filled', () => {
    expect(find('\n\n|||')).to.equal(null)
    expect(findTable([])).to.equal(null)
  })

  it('may have a header alone', () => {
    expect(find('Nom|Prénom|Ville')).to.deep.include({ header: [1], firstRow: null })
  })

  it('never has a blank header', () => {
    const table = find(`
|||
Commune  | Habitants | Maire     | Superficie
Guingamp | 7115      | P. Le Goff | 3,41
Paimpol  | 7077      | F. Chappé  | 23,45`)!
    expect(table).to.deep.include({ header: [2], firstRow: 3 })
  })

  describe('without a header', () => {
    const headerOf = (text: string) => find(text)!.header

    it('begins with its first row where no cell of it could be a name', () => {
      expect(
        find('01/02/2023|5|M|MG-12\n02/02/2023|6|F|MG-7\n03/02/2023|-|M|RT-40'),
      ).to.deep.include({
        header: [],
        firstRow: 1,
        names: ['', '', '', ''],
      })
      expect(headerOf('0.5|0\n0.7|0.1\n0.2|0')).to.deep.equal([])
      expect(headerOf('12\n15\n19')).to.deep.equal([])
    })

    it('begins with its first row where figures among words are like those of enough rows below', () => {
      const rows = 'Ambérac|318\nBalzac|1301\nClaix|912\nDirac|1500\nÉchallat|440\nFeuillade|251'
      expect(headerOf(rows)).to.deep.equal([])
      for (const names of ['Commune|2019', 'Commune|7', 'Commune|Habitants|10|250|900']) {
        const wide = rows.replaceAll(/$/gm, names.includes('900') ? '|400|300|500' : '')
        expect(headerOf(`${names}\n${wide}`), names).to.deep.equal([1])
      }
    })

    it('begins with its first row where addresses stand above addresses', () => {
      const streets = ['rue du Port', 'avenue Foch', 'quai Nord', 'place Verte']
      const house = (at: number) => `${at * 7 + 3} ${streets[at % 4]!}`
      const table = (row: (at: number) => string) =>
        Array.from({ length: 5 }, (_, at) => row(at)).join('\n')
      for (const row of [
        (at: number) => `${house(at)}|${house(at + 1)}`,
        (at: number) => `${house(at)}|${['Nantes', 'Brest', 'Gap', 'Dax', 'Dole'][at]!}`,
        (at: number) => `ann${at}@x.fr|${['Ann', 'Bob', 'Cleo', 'Dan', 'Eve'][at]!}`,
      ]) {
        expect(headerOf(table(row))).to.deep.equal([])
        expect(headerOf(`Départ|Arrivée\n${table(row)}`)).to.deep.equal([1])
      }
    })

    it('takes the lines above the rows for titles', () => {
      const { header, firstRow, titles } = find('# relevé\n14|5|9\n4|5|6\n7|8|8')!
      expect({ header, firstRow, titles: titles.length }).to.deep.equal({
        header: [],
        firstRow: 2,
        titles: 1,
      })
    })

    it('is not assumed when one cell could be a name, or the first row numbers the columns', () => {
      for (const text of [
        'Paris|12\nBrest|8\nLyon|4',
        'Nom|12|13\nA|5|6\nB|7|8',
        '2019|2020|2021\n12|5|6\n5|6|7',
        '1|2|3\n4|5|6\n7|8|9',
        '|0\n0|5.5\n1|6.5\n2|7',
        '5|8\n6|9',
      ]) {
        expect(headerOf(text), text).to.deep.equal([1])
      }
    })
  })

  it('is found below titles', () => {
    const table = find(`
Dotation globale de fonctionnement | | |
| | |
Commune    | Code INSEE | Forfaitaire | Total
Ploufragan | 22215      | 812034      | 1204511
Trégueux   | 22360      | 402118      | 655020`)!
    expect(table.titles).to.deep.equal([{ line: 1, text: 'Dotation globale de fonctionnement' }])
    expect(table).to.deep.include({ header: [3], firstRow: 4 })
  })

  it('takes sentences right of its first column, and a few cells above names for all, for titles', () => {
    const note = 'All values are in billion tonnes of carbon per year, for the whole of the globe.'
    const rows = [1, 2, 3, 4].map((at) => `${at} | 195${at} | 2.4${at} | 1.8${at} | 2.0${at}`)
    const table = [' | Year | fossil fuel | land use | ocean sink', ...rows]
    const noted = find([` | | ${note} | | `, ` | | | ${note} | `, ...table].join('\n'))!
    expect(noted).to.deep.include({ header: [3], firstRow: 4 })
    const names = 'Region | | Year | Series | Value | Footnotes | Source'
    const values = [1, 2, 3, 4, 5, 6, 7, 8].map(
      (at) => `8 | Albania | 197${at} | Emissions | 4,52${at} | | IEA`,
    )
    const headed = find(['T27 | Emission estimates | | | | | ', names, ...values].join('\n'))!
    expect(headed).to.deep.include({ header: [2], firstRow: 3 })
  })

  it('leaves the heading of a group out of its header where others name their groups below', () => {
    const group = (name: string) => [`${name}||`, 'Banks|37|44', 'Barton|38|43', 'Berowra|48|54']
    const header = ['|Yes|No', '|no.|%']
    const rows = [...group('New South Wales'), ...group('Victoria'), ...group('Queensland')]
    const sheet = sheetOf([...header, ...rows].join('\n'))
    const bold = sheet.map((row, at) => ({ ...row, isBold: at < 3 }))
    expect(findTable(bold)).to.deep.include({ header: [1, 2], firstRow: 4 })
  })

  it('takes a lone text above its middle for a title, unless the columns below are all of one kind', () => {
    const below = (names: string, row: string) => {
      const rows = [1, 2, 3].map((number) => `${number}0 | ${row.replaceAll('#', `${number}`)}`)
      return find([`  | | Juillet 2017 | `, names, ...rows].join('\n'))!.header
    }
    const purchases = 'Ligne | Code | Fournisseur | Montant'
    expect(below(purchases, 'A | Atelier # | 51#,20')).to.deep.equal([2])
    expect(below('Ligne | Code | Entrées | Sorties', 'A | 1# | 2#')).to.deep.equal([1, 2])
  })

  describe('below titles that reach over its columns', () => {
    const names = 'Nome|Cargo|Lotação|Salário|Abono|Total'
    const rows = [1, 2, 3, 4].map((at) => `Ana ${at}|Juiz|Sede|${at}10|${at}5|${at}15`)
    const over = (line: number, firstColumn = 0, lastColumn = 5) => ({
      firstLine: line,
      lastLine: line,
      firstColumn,
      lastColumn,
    })
    const spread = (text: string) => Array.from({ length: 6 }, () => text).join('|')

    it('has none of them in its names, be they merged, written out, or in the second column', () => {
      const titles = ['Vencimentos de janeiro', 'Ministério Público', '(em reais)']
      for (const [place, merged] of [
        [(text: string) => `${text}|||||`, [over(1), over(2), over(3)]],
        [(text: string) => `|${text}||||`, []],
        [spread, []],
      ] as const) {
        const sheet = sheetOf([...titles.map(place), names, ...rows].join('\n'))
        const found = findTable(sheet, merged)!
        expect(found).to.deep.include({ header: [4], firstRow: 5, names: names.split('|') })
      }
    })

    it('has none of them in its names where all its cells are texts', () => {
      const texts = [1, 2, 3, 4].map((at) => `Ana ${at}|Juiz|Sede ${at}|x|y|z`)
      const found = find([spread('Vencimentos'), names, ...texts].join('\n'))!
      expect(found).to.deep.include({ header: [2], firstRow: 3 })
    })

    it('joins the names of groups that are merged over some columns, be its cells texts or not', () => {
      const groups = '|||Rendimentos|| '
      for (const [title, merged] of [
        ['Vencimentos|||||', [over(1), over(2, 3, 5)]],
        ['|||||', [over(2, 3, 5)]],
      ] as const) {
        for (const row of ['Ana #|Juiz|Sede|10#|5|15', 'Ana #|Juiz|Sede|x #|y|z']) {
          const below = [1, 2, 3, 4].map((at) => row.replaceAll('#', String(at)))
          const found = findTable(sheetOf([title, groups, names, ...below].join('\n')), merged)!
          expect(found.header).to.deep.equal([2, 3])
          expect(found.names.slice(2, 4)).to.deep.equal(['Lotação', 'Rendimentos Salário'])
        }
      }
    })

    it('has neither its number, nor a label and its value in its names', () => {
      for (const title of ['1|Vencimentos por mês||||', 'Atualizado em:|||maio 2020||']) {
        expect(find([title, names, ...rows].join('\n'))!.header, title).to.deep.equal([2])
      }
    })

    it('is not divided from them by the commas that both hold, where its names stand above figures', () => {
      const split = (text: string) => text.split(',').join('|')
      const sheet = (title: string) =>
        [title, 'id,nom,pop', '1,Brest,3', '2,Lyon,5', '3,Metz,7'].map(split).join('\n')
      const cells = (title: string) =>
        sheet(title)
          .split('\n')
          .map((line, at) => ({ line: at + 1, cells: line.split('|') }))
      expect(findTable(cells('Communes, cantons, arrondissements'))!.header).to.deep.equal([2])
      expect(findTable(cells('Communes,cantons,arrondissements'))!.header).to.deep.equal([1])
    })
  })

  it('is found below a text of many lines', () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `S${at}|2020-01-${at + 10}|${at}.5|${at * 3}`,
    )
    for (const lines of [59, 61, 90, 150]) {
      const text = Array.from({ length: lines }, (_, at) => `Key ${at}: ${at * 7}`)
      const found = find([...text, 'station|date|temp|depth', ...rows].join('\n'))!
      expect(found, String(lines)).to.deep.include({ header: [lines + 1], firstRow: lines + 2 })
    }
  })

  it('has lines in its header that say something about every column but the first, above times', () => {
    const said = [
      'Unit|$|$|000',
      'Series Type|Trend|Original|Original',
      'Frequency|Month|Month|Month',
    ]
    const times = Array.from({ length: 6 }, (_, at) => `2020-0${at + 1}|9${at}.5|${at}|${at}`)
    const text = (lines: readonly string[]) =>
      ['|Wages|Prices|Jobs', ...lines, 'No. Obs|6|6|6', ...times].join('\n')
    expect(find(text(said))).to.deep.include({ header: [1, 2, 3, 4, 5], firstRow: 6 })
    expect(find(text(['Total|5|6|7', 'Mean|8|9|7']))!.header).to.deep.equal([1])
  })

  it('has the name of its first column at the end of its header, above nothing but times', () => {
    const times = Array.from({ length: 6 }, (_, at) => `2020-0${at + 1}|9${at}.5|A`).join('\n')
    const table = find(`Libellé|Indice des prix|Codes\nidBank|001763852|\nPériode||\n${times}`)!
    expect(table).to.deep.include({ header: [1, 2, 3], firstRow: 4 })
    expect(table.names).to.deep.equal([
      'Libellé idBank Période',
      'Indice des prix 001763852',
      'Codes',
    ])
    const titled = find(`Séries||\nLibellé|Indice\nidBank|001763852|\nPériode||\n${times}`)!
    expect(titled).to.deep.include({ header: [2, 3, 4], firstRow: 5 })
    const dated = times.replaceAll('|A', '|A|16/01/2021')
    const few = find(`Libellé|Indice|Codes|\nidBank|001763852||\nPériode|||Parution\n${dated}`)!
    expect(few).to.deep.include({ header: [1, 2, 3], firstRow: 4 })
    const rows = times.replaceAll('2020-0', 'Ville ')
    expect(find(`Nom|Indice|Codes\nNord||\n${rows}`)!.header).to.deep.equal([1])
  })

  it('has its units in its header whatever notes of two cells stand below', () => {
    const months = ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août']
    const wide = (cells: readonly string[]) => cells.join('|')
    const figures = (name: string) => wide([name, ...months.flatMap(() => ['83,1', '84,2', '85'])])
    const names = months.flatMap((month) => [`${month} 2019`, `${month} 2020`, `${month} 2021`])
    const table = find(
      [
        'Indice mensuel',
        '',
        wide(['Territoire', 'France', ...Array.from({ length: 23 }, () => '')]),
        wide(['Produits', ...names]),
        wide(['', '2015=100', ...Array.from({ length: 23 }, () => '')]),
        ...['Ensemble', 'Alimentation', 'Logement', 'Santé'].map(figures),
        '',
        ...[1, 2, 3, 4, 5].map((at) => `${at}|Note ${at}`),
      ].join('\n'),
    )!
    expect(table).to.deep.include({ header: [3, 4, 5], firstRow: 6 })
  })

  it('leaves a row of values to the rows where the header above is one without it', () => {
    const rows = [
      '21.03. bis 27.03.|Neukieritzsch||Diebstahl',
      '27.03.|Leipzig|Ostheimstr.|Einbruch',
    ]
    const below = Array.from({ length: 12 }, (_, at) => `${at}|${rows[at % 2]}`)
    expect(find(`|date|district|street|crime\n${below.join('\n')}`)!.header).to.deep.equal([1])
  })

  it('has its units in its header', () => {
    const table = find(`
Date       | T min | Pluie
           | °C    | mm
01/01/2023 | -2,1  | 3,4
02/01/2023 | 0,4   | 0,0`)!
    expect(table.names).to.deep.equal(['Date', 'T min °C', 'Pluie mm'])
    expect(table.firstRow).to.equal(3)
  })

  it('leaves the name of its first group to the titles, and later ones among the rows', () => {
    const table = find(`
Table 844. Livestock inventory

Item              | Unit      | 2005  | 2007

CATTLE AND CALVES |           |       |
Number on farms   | 1 000     | 95018 | 96573
Total value       | Mil. dol. | 87074 | 89056
HOGS AND PIGS     |           |       |
Number on farms   | 1 000     | 61000 | 62516`)!
    expect(table.titles.map(({ line }) => line)).to.deep.equal([1, 5])
    expect(table.firstRow).to.equal(6)
  })

  it('is the largest where there are several', () => {
    const table = find(`
Indicator | Value | Unit
Vehicles  | 129   | u
Energy    | 837   | u
Staff     | 198   | u

City     | Inhabitants | Area | Mayor    | Elected
France   | 83581       | 57,6 | P. Brun  | 07/01/2020
Portugal | 45658       | 8,6  | A. Colin | 12/11/2020
Italy    | 12100       | 9,1  | L. Picot | 12/12/2020
Spain    | 99400       | 11,0 | O. Brun  | 30/11/2020`)!
    expect(table).to.deep.include({ header: [6], firstRow: 7, titles: [] })
    expect(table.above).to.deep.equal([{ firstLine: 1, lastLine: 4 }])
  })

  it('keeps its names as they are written, wide as it may be', () => {
    const names = Array.from({ length: 1500 }, (_, at) => ` colonne ${at}`)
    const rows = Array.from({ length: 5 }, (_, row) => names.map((_name, at) => String(at * row)))
    const table = findTable([names, ...rows].map((cells, at) => ({ line: at + 1, cells })))!
    expect(table.names).to.deep.equal(names)
    expect(table).to.deep.include({ header: [1], firstRow: 2 })
  })

  it('reports the evidence for its header and the alternatives', () => {
    const { reasons, alternatives } = find(`
Effectifs | | |
Pôle   | 2021   | 2021   | 2022
       | Femmes | Hommes | Femmes
Accueil| 12     | 3      | 11
Voirie | 1      | 14     | 2`)!
    expect(reasons.map(({ line, role }) => [line, role])).to.deep.equal([
      [2, 'header'],
      [3, 'header'],
      [null, 'header'],
      [4, 'row'],
    ])
    const [, lower] = reasons
    expect(lower!.because.map(({ what }) => what)).to.include('names above figures')
    expect(alternatives).to.not.deep.equal([])
    for (const { behind } of alternatives) expect(behind).to.be.at.least(0)
  })

  it('is not weighed when its first line is full of names', () => {
    const { reasons, alternatives } = find('a|b\n1|2\n3|4')!
    expect({ reasons, alternatives }).to.deep.equal({ reasons: [], alternatives: [] })
  })
})
