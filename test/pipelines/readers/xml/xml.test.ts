import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { createEngine, type IngestOptions } from '../../../../pipelines/index.ts'
import { xmlFormat } from '../../../../pipelines/readers/xml/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { patience } from '../../../support/patience.ts'
import { bytesOf, refusalOf } from '../../engine/loading.ts'

const engine = createEngine({ tempDir: tmpdir() })
const preview = (text: string | Buffer, options: IngestOptions = {}) =>
  engine.preview(bytesOf(text), options, { limit: 100, signal: patience() })

async function seen(text: string | Buffer, options: IngestOptions = {}) {
  const shown = await preview(text, options)
  return {
    path: shown.input.dialect['path'],
    columns: shown.columns.map(({ name, type }) => `${name} ${type}`),
    rows: shown.rows.map((row) => row.map((cell) => JSON.parse(cell ?? 'null') as unknown)),
  }
}

const DECLARED = '<?xml version="1.0"?>\n'
const rowsOf = (...rows: readonly string[]) => `${DECLARED}<rows>\n${rows.join('\n')}\n</rows>\n`

const large = () =>
  Buffer.from(
    rowsOf(
      ...Array.from({ length: 20_000 }, (_, k) => `<row id="${k}"><note>n° ${k}\n</note></row>`),
    ),
  )

describeReader('The reader of XML records', {
  format: xmlFormat,
  inputs: [
    {
      name: 'records',
      bytes: Buffer.from(
        rowsOf('<row id="1"><a>é</a><b>x &amp; y</b></row>', '<row id="2"><b>€</b><c>1</c></row>'),
      ),
    },
  ],
  large,
})

describe('records of XML', () => {
  it('are found whatever their elements are called, as in maps, unless it is a page or a picture', async () => {
    const map = `${DECLARED}<kml xmlns="urn:kml"><Document><name>Écoles</name>
<Placemark><name>Jean Macé</name><Point><coordinates>4.8,45.7</coordinates></Point></Placemark>
<Placemark><name>Lavoisier</name></Placemark>
</Document></kml>`
    expect(await seen(map)).to.deep.equal({
      path: '/kml/Document/Placemark',
      columns: ['name text', 'Point json'],
      rows: [
        ['Jean Macé', { coordinates: '4.8,45.7' }],
        ['Lavoisier', null],
      ],
    })
    const picture = `${DECLARED}<svg xmlns="urn:svg"><g a="1"/><g a="2"/></svg>`
    expect((await refusalOf(preview(picture))).problem.kind).to.equal('format')
  })

  it('keep an attribute and a child of one name apart, whichever a record has', async () => {
    const text = rowsOf('<row id="1"><id>A</id></row>', '<row><id>B</id></row>', '<row id="3"/>')
    expect(await seen(text)).to.deep.equal({
      path: '/rows/row',
      columns: ['id number', 'id_2 text'],
      rows: [
        [1, 'A'],
        [null, 'B'],
        [3, null],
      ],
    })
  })

  it('are the elements that repeat, with their children and attributes as columns', async () => {
    const text = rowsOf(
      '<row id="1"><nom>Am&#233;lie &amp; Co</nom><prix>12,50</prix></row>',
      '<row id="2"><nom><![CDATA[<Zoé>]]></nom><note/></row>',
    )
    expect(await seen(text)).to.deep.equal({
      path: '/rows/row',
      columns: ['id number', 'nom text', 'prix number', 'note text'],
      rows: [
        [1, 'Amélie & Co', 12.5, null],
        [2, '<Zoé>', null, null],
      ],
    })
  })

  it('keep what repeats or has children inside a record as JSON, and attributes of cells', async () => {
    const text = rowsOf(
      '<row><tag>a</tag><tag>b</tag><prix devise="EUR">3</prix><lieu pays="FR"><ville>Brest</ville></lieu></row>',
      '<row><prix devise="CHF">4</prix></row>',
    )
    expect(await seen(text)).to.deep.equal({
      path: '/rows/row',
      columns: ['tag json', 'prix number', 'prix@devise text', 'lieu json'],
      rows: [
        [['a', 'b'], 3, 'EUR', { '@pays': 'FR', ville: 'Brest' }],
        [null, 4, 'CHF', null],
      ],
    })
  })

  it('are found below other elements, in any namespace, and without white space', async () => {
    const text =
      '<x:export xmlns:x="urn:x"><meta><date>1</date></meta><x:items><x:item n="1"/><x:item n="2"/></x:items></x:export>'
    expect(await seen(text)).to.deep.equal({
      path: '/export/items/item',
      columns: ['n number'],
      rows: [[1], [2]],
    })
  })

  it('may be one, or have no children', async () => {
    expect((await seen(`${DECLARED}<rows><row><a>1</a></row></rows>`)).rows).to.deep.equal([[1]])
    const names = `${DECLARED}<noms><nom>Zoé</nom><nom>Ana</nom></noms>`
    expect(await seen(names)).to.deep.include({ columns: ['nom text'], rows: [['Zoé'], ['Ana']] })
  })

  it('are those that path names, by their name or the way to them', async () => {
    const text = `${DECLARED}<d><a><n>1</n></a><a><n>2</n></a><b><c><m>3</m></c></b></d>`
    expect((await seen(text)).rows).to.deep.equal([[1], [2]])
    for (const path of ['c', '/d/b/c']) {
      expect((await seen(text, { path })).columns).to.deep.equal(['m number'])
    }
    const { problem, message } = await refusalOf(preview(text, { path: 'z' }))
    expect(problem).to.deep.equal({ kind: 'options', pointer: '/path' })
    expect(message).to.contain('“z”')
  })

  it('are read in the encoding that the file declares', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><r><a>é</a><a>è</a></r>'
    expect((await seen(Buffer.from(text, 'latin1'))).rows).to.deep.equal([['é'], ['è']])
    const wide = Buffer.from(`\ufeff${text.replace('ISO-8859-1', 'UTF-16')}`, 'utf16le')
    expect((await seen(wide)).rows).to.deep.equal([['é'], ['è']])
  })

  it('are named by the line on which they begin', async () => {
    const text = rowsOf('<row>\n<le>2024-01-01</le>\n</row>', '<row><le>x</le></row>')
    const options: IngestOptions = { columns: [{ name: 'le', type: 'date' }] }
    const { columns } = await preview(text, options)
    expect(columns[0]!.evidence.counterExample).to.deep.include({ row: 2, line: 6, value: 'x' })
  })

  it('take nil for nothing', async () => {
    const nil =
      '<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a xsi:nil="true"/><b>1</b></row>'
    expect(await seen(rowsOf(nil, '<row><a>2</a><b>3</b></row>'))).to.deep.include({
      columns: ['a number', 'b number'],
      rows: [
        [null, 1],
        [2, 3],
      ],
    })
  })

  const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
    'a DTD': ['<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><r><a>&a;</a></r>', /DTD/],
    'an entity that nobody declared': [rowsOf('<row><a>&x;</a></row>'), /“&x;”/],
    'a tag that closes nothing': [rowsOf('<row><a>1</b></row>'), /broken near byte \d+/],
    'an end that is too early': [`${DECLARED}<rows><row><a>1</a></row>`, /ends too early/],
  }
  for (const [what, [text, words]] of Object.entries(refused)) {
    it(`are refused for ${what}, in words of their own`, async () => {
      const { problem, message } = await refusalOf(preview(text))
      expect(problem.kind).to.equal('structure')
      expect(message).to.match(words).and.not.contain('workbook')
    })
  }

  it('are bounded, each by the longest cell', async () => {
    const small = createEngine({ tempDir: tmpdir(), limits: { cellBytes: 1000 } })
    const text = rowsOf('<row><a>1</a></row>', `<row><a>${'x'.repeat(2000)}</a></row>`)
    const control = { limit: 10, signal: patience() }
    const { problem } = await refusalOf(small.preview(bytesOf(text), {}, control))
    expect(problem).to.deep.include({ kind: 'limit', limit: 'cellBytes' })
  })
})
