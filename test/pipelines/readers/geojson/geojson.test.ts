import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { createEngine, type IngestOptions } from '../../../../pipelines/index.ts'
import { geojsonFormat } from '../../../../pipelines/readers/json/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { patience } from '../../../support/patience.ts'
import { bytesOf } from '../../engine/loading.ts'

const engine = createEngine({ tempDir: tmpdir() })

async function seen(text: string, options: IngestOptions = {}) {
  const shown = await engine.preview(bytesOf(text), options, { limit: 100, signal: patience() })
  return {
    format: shown.input.format,
    sourceType: shown.input.sourceType,
    columns: shown.columns.map(({ name, type }) => `${name} ${type}`),
    rows: shown.rows.map((row) => row.map((cell) => JSON.parse(cell ?? 'null') as unknown)),
  }
}

const POINT = { type: 'Point', coordinates: [-4.49, 48.39] }
const collection = (features: readonly object[], besides = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...besides, features })
const feature = (properties: object | null, more = {}) => ({
  type: 'Feature',
  properties,
  geometry: POINT,
  ...more,
})

const large = () =>
  Buffer.from(
    collection(Array.from({ length: 20_000 }, (_, k) => feature({ id: k, note: `n° ${k}\n` }))),
  )

describeReader('The GeoJSON reader', {
  format: geojsonFormat,
  inputs: [
    {
      name: 'features',
      bytes: Buffer.from(collection([feature({ nom: 'Évry', n: 1 }), feature({ n: 2, été: [1] })])),
    },
  ],
  large,
})

describe('a collection of features', () => {
  it('has a column for each property, and the geometry as JSON', async () => {
    const text = collection(
      [feature({ nom: 'Brest', hab: 139619 }, { id: 7 }), feature({ nom: 'Nîmes', note: 'x' })],
      { name: 'villes', crs: { type: 'name', properties: { name: 'urn:ogc' } } },
    )
    expect(await seen(text)).to.deep.equal({
      format: 'geojson',
      sourceType: 'JSON',
      columns: ['nom text', 'hab number', 'geometry json', 'id number', 'note text'],
      rows: [
        ['Brest', 139619, POINT, 7, null],
        ['Nîmes', null, POINT, null, 'x'],
      ],
    })
  })

  it('may come from Esri, whose fields are described beside them', async () => {
    const text = JSON.stringify({
      displayFieldName: 'NAME',
      fields: [{ name: 'NAME' }, { name: 'POP' }, { name: 'Z' }],
      features: [
        { attributes: { NAME: 'Lyon', POP: 522250 }, geometry: { x: 4.8, y: 45.7 } },
        { attributes: { NAME: 'Lille', POP: null }, geometry: { x: 3, y: 50.6 } },
      ],
    })
    const { format, columns, rows } = await seen(text)
    expect([format, columns]).to.deep.equal([
      'geojson',
      ['NAME text', 'POP number', 'geometry json'],
    ])
    expect(rows[1]).to.deep.equal(['Lille', null, { x: 3, y: 50.6 }])
  })

  it('may say what it is behind its features, and have features without properties', async () => {
    const features = [feature({ a: 1 }), feature(null), { type: 'Feature', geometry: null }]
    const text = JSON.stringify({ features, type: 'FeatureCollection' })
    const { format, columns, rows } = await seen(text)
    expect([format, columns, rows.length]).to.deep.equal([
      'geojson',
      ['a number', 'geometry json'],
      2,
    ])
  })

  it('may be one feature a document, one after another', async () => {
    const features = [feature({ a: 1 }), feature({ a: 2, b: 'x' }, { id: 7 }), feature(null)]
    const lines = features.map((one) => JSON.stringify(one)).join('\n')
    const { format, columns, rows } = await seen(lines)
    expect([format, columns]).to.deep.equal([
      'geojson',
      ['a number', 'geometry json', 'b text', 'id number'],
    ])
    expect(rows[1]).to.deep.equal([2, POINT, 'x', 7])
    const turned = JSON.stringify({ properties: { a: 1 }, geometry: null, type: 'Feature' })
    expect((await seen(turned)).columns).to.deep.equal(['a number', 'geometry text'])
    const objects = await seen(lines, { path: '' })
    expect(objects.columns.slice(0, 2)).to.deep.equal(['type text', 'properties json'])
  })

  it('keeps what a feature says beside its properties apart from a property of that name', async () => {
    const text = collection([
      feature({ id: 'A', geometry: 'point' }, { id: 7 }),
      feature({ geometry: 'aire' }, { id: 8, bbox: [1, 2] }),
      feature({ id: 'C', bbox: 'x' }),
    ])
    const { columns, rows } = await seen(text)
    expect(columns.map((column) => column.split(' ')[0])).to.deep.equal([
      'id',
      'geometry',
      'geometry_2',
      'id_2',
      'bbox',
      'bbox_2',
    ])
    expect(rows).to.deep.equal([
      ['A', 'point', POINT, 7, null, null],
      [null, 'aire', POINT, 8, [1, 2], null],
      ['C', null, POINT, null, null, 'x'],
    ])
  })

  it('is read as any other JSON where the request says so, or names another path', async () => {
    const text = collection([feature({ a: 1 })], { others: [{ b: 2 }] })
    expect((await seen(text, { format: 'json', path: '/features' })).columns).to.deep.equal([
      'type text',
      'properties json',
      'geometry json',
    ])
    expect((await seen(text, { path: '/others' })).columns).to.deep.equal(['b number'])
  })

  it('is not what has features of another kind', async () => {
    const text = JSON.stringify({ features: [{ name: 'fast' }, { name: 'small' }] })
    expect((await seen(text)).format).to.equal('json')
  })
})
