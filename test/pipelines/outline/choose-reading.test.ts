import { expect } from 'chai'

import { seeReading, weighReadings } from '../../../pipelines/outline/choose-reading.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const DELIMITERS = ['\t', ';', '|', ',', null]

/** The text split by every delimiter; nothing is quoted in it. */
function weigh(text: string) {
  const lines = text.split('\n')
  return weighReadings(
    DELIMITERS.filter((delimiter) => delimiter === null || text.includes(delimiter)).map(
      (delimiter) =>
        seeReading({
          delimiter,
          rows: lines.map((line, at) => ({
            line: at + 1,
            cells: delimiter === null ? [line] : line.split(delimiter),
          })),
        }),
    ),
  )
}

const likeliest = (text: string) => weigh(text)[0]!.delimiter

const random = seededRandom(20)
const decimal = (digits = 2) => (random.fraction() * 100).toFixed(digits).replace('.', ',')

function under(header: string, count: number, row: (at: number) => string): string {
  return [header, ...Array.from({ length: count }, (_, at) => row(at))].join('\n')
}

describe('the delimiter of a text', () => {
  for (const count of [1, 5, 38, 39, 100, 200]) {
    it(`is no decimal comma, though every one of ${count} rows has two`, () => {
      const text = under('Latitude;Longitude', count, () => `${decimal(6)};-${decimal(6)}`)
      expect(likeliest(text)).to.equal(';')
    })
  }

  it('is no decimal comma in four columns of energy figures, nor in 300', () => {
    const four = under('Électricité;Gaz;Fioul;Bois', 50, () =>
      Array.from({ length: 4 }, () => decimal()).join(';'),
    )
    const names = Array.from({ length: 300 }, (_, at) => `mesure_${at}`).join(';')
    const wide = under(names, 20, () => Array.from({ length: 300 }, () => decimal()).join(';'))
    expect([likeliest(four), likeliest(wide)]).to.deep.equal([';', ';'])
  })

  it('is no decimal comma below a title, or without a header', () => {
    const rows = Array.from({ length: 40 }, () => `${decimal()};${decimal()}`)
    const titled = ['Relevés du 3 mars, compteur 12', '', 'Débit;Niveau', ...rows]
    expect(likeliest(titled.join('\n'))).to.equal(';')
    expect(likeliest(rows.join('\n'))).to.equal(';')
  })

  it('is no comma inside addresses', () => {
    const text = under('Id;Adresse', 60, (at) => `${at};${at} rue des Lilas,75011,Paris`)
    expect(likeliest(text)).to.equal(';')
  })

  it('is the comma where numbers have a point', () => {
    const text = under('lat,lon,label', 10, () => `${random.fraction()},${random.fraction()},a;b`)
    expect(likeliest(text)).to.equal(',')
  })

  it('is not taken from a column of decimals, prose or addresses', () => {
    expect(likeliest(under('Prix TTC', 12, () => decimal()))).to.equal(null)
    expect(likeliest('comment\nGreat place, would come again\ntoo loud\nNice, but small')).to.equal(
      null,
    )
    expect(likeliest('courriel\nanne@exemple.fr\npaul@exemple.fr')).to.equal(null)
  })

  describe('around lists', () => {
    const WORDS = ['red', 'green', 'blue', 'pink', 'black', 'grey', 'white']
    const ITEMS = [(at: number) => WORDS[at % 7]!, (at: number) => `${WORDS[at % 7]}@x`, String]
    const HEADERS = [
      ['id', 'name', 'tags'],
      ['tags', 'name'],
      ['id', 'tags', 'id'],
      ['tags', ''],
    ]
    const list = (separator: string, parts: number, item: (at: number) => string, at: number) =>
      Array.from({ length: parts }, (_, part) => item(at + part)).join(separator)

    for (const outer of [',', ';', '\t', '|']) {
      for (const separator of [';', '|', '/', ',', '; ', ' | '].filter(
        (one) => !one.includes(outer),
      )) {
        it(`is ${JSON.stringify(outer)}, not the “${separator}” of a list, whatever its parts and rows`, () => {
          for (const rows of [1, 30]) {
            for (const parts of [3, 12]) {
              for (const [at, names] of HEADERS.entries()) {
                const item = ITEMS[separator.startsWith(',') ? at % 2 : at % 3]!
                const text = (most: (row: number) => number) =>
                  under(names.join(outer), rows, (row) =>
                    names
                      .map((name, column) =>
                        name === 'tags'
                          ? list(separator, most(row), item, row)
                          : `${WORDS[column]} ${row}`,
                      )
                      .join(outer),
                  )
                const same = text(() => parts)
                for (const one of [same, text((row) => 1 + (row % parts)), `Contacts\n\n${same}`]) {
                  expect(likeliest(one), one.slice(0, 200)).to.equal(outer)
                }
              }
            }
          }
        })
      }
    }

    it('is not the semicolon of media types', () => {
      const text = under(
        'name,type',
        12,
        (at) => `${WORDS[at % 7]},text/html; charset=utf-8; q=0.1`,
      )
      expect(likeliest(text)).to.equal(',')
    })

    it('is none where one name stands above lists, but one below a title', () => {
      const lists = ['a;b;c', 'd;e;f', 'b;c;a', 'a;c;d']
      for (const count of [4, 40]) {
        const text = under('tags', count, (at) => lists[at % 4]!)
        expect(likeliest(text)).to.equal(null)
        expect(likeliest(text.replaceAll(';', ','))).to.equal(null)
      }
      expect(likeliest('tags\na;b;c\na;b\nc\nb;c;a;d\nb')).to.equal(null)
      const matches = 'Liste des matchs\ndomicile;extérieur\nLyon;Nice\nNice;Lyon\nMetz;Lyon'
      expect(likeliest(matches)).to.equal(';')
    })

    it('is not the sign between the words of a list that has no names above it', () => {
      const rows = Array.from(
        { length: 12 },
        (_, at) => `${list(';', 3, ITEMS[0]!, at)},${at},Dole`,
      )
      expect(likeliest(rows.join('\n'))).to.equal(',')
    })
  })

  it('is the tab wherever one stands, whatever else divides the values of a column alike', () => {
    const rows = Array.from({ length: 6 }, (_, at) => `chr${at}\t1${at}\tT=a;S=DEL;L=-3${at};E=9;I`)
    expect(likeliest(rows.join('\n'))).to.equal('\t')
  })

  it('is a comma between a text in quotes and a number, below a single name', () => {
    expect(likeliest('"x"\n"RDA1",820.1\n"RDA2",399.2\n"RDA3",102.5')).to.equal(',')
    expect(likeliest('Part\n71,6 %\n8,25 %\n9,1 %')).to.equal(null)
  })

  it('is reported with the other candidates and the evidence for each', () => {
    const [first, second] = weigh('a;b;c\n1;2;3\n4;5;6')
    expect(first!.delimiter).to.equal(';')
    expect(first!.columns).to.equal(3)
    expect(first!.score).to.be.above(second!.score)
    const named = first!.because.filter(({ weight }) => weight !== 0).map(({ what }) => what)
    expect(named).to.include.members(['lines that are split', 'names for the columns', 'figures'])
  })
})
