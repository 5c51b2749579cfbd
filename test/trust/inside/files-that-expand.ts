import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

import { expect } from 'chai'
import { parquetWriteBuffer } from 'hyparquet-writer'

import { MiB } from '../../../pipelines/index.ts'
import type { TestResponse } from '../../support/client.ts'
import { rawParquet } from '../../support/raw-parquet.ts'
import { formOf } from '../../support/uploads.ts'
import { uniqueTable } from '../deeds/sources.ts'
import type { World } from '../world.ts'
import type { Intrusion } from './intrusion.ts'

/** The longest that one request may keep the process to itself, and the way there and back. */
const LONGEST_MS = 250 + 50

/** Beside all that `npm test` runs no time is measured, and what would take for ever does so with an eighth. */
const SHARE = { ci: 1 / 8, short: 1, long: 1 }

const WATCH = resolve(import.meta.dirname, 'watch-life.ts')

interface ExpandingFile {
  readonly name: string
  readonly file: string
  readonly options?: object
  /** Of the shape that it is held to. */
  readonly columns?: readonly object[]
  /** Such a share of what once did harm, where a part of it is as telling. */
  content(share: number): Buffer
  /** What is said of the load; null: it is taken. */
  readonly refusal: RegExp | null
}

const EXPANDS = /expands to far more than a file of its size should hold/
const DAMAGED = /truncated or damaged/

const FILES: readonly ExpandingFile[] = [
  {
    name: 'one cell of 400 KB filled into 10,000 blanks below it',
    file: 'titles.csv',
    options: { fillDown: true },
    content: () => {
      const blanks = Array.from({ length: 10_000 }, (_, row) => `;${row}\n`).join('')
      return Buffer.from(`title;n\n${'x'.repeat(400_000)};0\n${blanks}`)
    },
    refusal: EXPANDS,
  },
  {
    name: 'one word of 422 KB in a dictionary of Parquet, in 10,000 rows',
    file: 'words.parquet',
    content: () => {
      const data = Array<string>(10_000).fill('x'.repeat(422_000))
      const column = { name: 'word', data, type: 'STRING', encoding: 'RLE_DICTIONARY' } as const
      return Buffer.from(parquetWriteBuffer({ columnData: [column], codec: 'UNCOMPRESSED' }))
    },
    refusal: EXPANDS,
  },
  {
    name: 'a run of 16,000,000 rows in a few bytes of Parquet',
    file: 'run.parquet',
    content: () => rawParquet({ values: [7], run: 16_000_000 }),
    refusal: EXPANDS,
  },
  {
    name: 'a page of Parquet that is longer than its column',
    file: 'counts.parquet',
    content: () => rawParquet({ rows: 2, chunkValues: 2 }),
    refusal: DAMAGED,
  },
  {
    name: '48 MB of escapes in one cell of JSON, or some of them',
    file: 'escapes.json',
    content: (share) => Buffer.from(`[{"a":"${String.raw`\u0041`.repeat(8 * MiB * share)}"}]`),
    refusal: null,
  },
  {
    name: 'the names of 200,000 columns in one array of JSON',
    file: 'names.json',
    content: () => {
      const columns = Array.from({ length: 200_000 }, (_, at) => `c${at}`)
      return Buffer.from(JSON.stringify({ columns, rows: [[1]] }))
    },
    refusal: /names more than 1590 columns/,
  },
  {
    name: 'a polygon of 2,000,000 positions in GeoJSON',
    file: 'polygon.geojson',
    content: () => {
      const positions = Array.from(
        { length: 2_000_000 },
        (_, at) => `[${at % 180}.5,${at % 90}.25]`,
      )
      const geometry = `{"type":"Polygon","coordinates":[[${positions.join(',')}]]}`
      const feature = `{"type":"Feature","properties":{"a":1},"geometry":${geometry}}`
      return Buffer.from(`{"type":"FeatureCollection","features":[${feature}]}`)
    },
    refusal: null,
  },
  {
    name: 'a row of 8,000,000 values in JSON, under a header of two',
    file: 'values.json',
    content: () => Buffer.from(`[["a","b"],[${'1,'.repeat(8_000_000)}1]]`),
    refusal: /must have 2 values/,
  },
  {
    name: '8,000,000 values of JSON that are neither rows nor a header',
    file: 'numbers.json',
    content: () => Buffer.from(`[[${'1,'.repeat(8_000_000)}1],[1]]`),
    refusal: /No rows in this JSON/,
  },
  {
    name: 'an object of 200,000 arrays in JSON',
    file: 'arrays.json',
    content: () => {
      const arrays = Array.from({ length: 200_000 }, (_, at) => `"k${at}":[{"a":1}]`)
      return Buffer.from(`{${arrays.join(',')}}`)
    },
    refusal: null,
  },
  {
    name: '1,500 cells of HTML that reach down beside 3,000 rows',
    file: 'spans.html',
    content: () => {
      const reaching = `<tr><td rowspan=65000>a${'x'.repeat(2000)}</td><td>1</td></tr>`
      return Buffer.from(
        `<table>${reaching.repeat(1500)}${'<tr><td>1</td></tr>'.repeat(3000)}</table>`,
      )
    },
    refusal: /lies outside the table/,
  },
  {
    name: 'a record of XML with 200,000 kinds of children',
    file: 'kinds.xml',
    content: () => {
      const child = (_: unknown, at: number) => `<row${at}><a>1</a></row${at}>`
      return Buffer.from(`<r>${Array.from({ length: 200_000 }, child).join('')}</r>`)
    },
    refusal: /more than 1590 columns/,
  },
  {
    name: 'a cell of 60 MB of blanks, or some of them',
    file: 'blanks.csv',
    content: (share) => Buffer.from(`a;b\n1;"${' '.repeat(60 * MiB * share)}"\n`),
    refusal: null,
  },
  {
    name: '16 MB of signs in HTML that begin no tag, or some of them',
    file: 'signs.html',
    content: (share) =>
      Buffer.from(`<table><tr><th>a<th>b<tr><td>1<td>${'<'.repeat(16 * MiB * share)}`),
    refusal: null,
  },
  {
    name: 'long cells in UTF-16 that a report cuts',
    file: 'long.csv',
    content: () => {
      const long = '😀'.repeat(1200)
      const rows = Array.from({ length: 10_001 }, (_, row) => `r;${row}\n`).join('')
      return Buffer.from(`\ufeffx${long};\n\nname;n\n${rows}Total: ${long};7\n`, 'utf16le')
    },
    refusal: null,
  },
  {
    name: 'a hundred patterns to look for in one cell of 1 MB',
    file: 'notes.csv',
    columns: [
      {
        name: 'note',
        type: 'text',
        rules: Array.from({ length: 100 }, (_, at) => ({
          matches: `z${at}[0-9]+`,
          severity: 'warning',
        })),
      },
    ],
    content: () => Buffer.from(`note\n${'x'.repeat(MiB)}\n`),
    refusal: null,
  },
]

/** Small files of which much comes out: shown and loaded, while somebody asks whether the service lives. */
export const FILES_THAT_EXPAND: readonly Intrusion[] = FILES.map((sent) => ({
  name: sent.name,
  async attempt({ trials, world }) {
    const content = sent.content(trials.times(SHARE))
    const shapeUuid = await shapeOf(world, sent)
    const fields = shapeUuid === null ? {} : { shapeUuid }
    const [shown, loaded, worstMs] = await whileAsked(world, async () => {
      const preview = await send(world, sent, content, '/sources/preview', fields)
      return [preview, await send(world, sent, content, '/sources', fields)] as const
    })
    // It shows the beginning, refuses it like a load, or says that no row of it is short enough.
    expect(shown.status, shown.text.slice(0, 300)).to.be.oneOf([200, 400, 413])
    if (sent.refusal === null) expect(loaded.status, loaded.text.slice(0, 300)).to.equal(201)
    else {
      expect(loaded.status, loaded.text.slice(0, 300)).to.equal(400)
      expect(loaded.body.detail).to.match(sent.refusal)
    }
    expect(worstMs, 'the longest wait of others').to.be.lessThan(world.within(LONGEST_MS))
    return `others waited ${Math.round(worstMs)} ms at most, for a file of ${content.length} bytes`
  },
}))

async function whileAsked(
  { server }: World,
  work: () => Promise<readonly [TestResponse, TestResponse]>,
): Promise<readonly [TestResponse, TestResponse, number]> {
  const watch = fork(WATCH, [server.address, String(server.pid)])
  const gone = once(watch, 'exit').then(() => {
    throw new Error('Nobody asks any more whether the service lives')
  })
  const said = () => Promise.race([once(watch, 'message') as Promise<[unknown]>, gone])
  try {
    await said()
    const answers = await work()
    watch.send('end')
    const [worstMs] = await said()
    return [...answers, Number(worstMs)]
  } finally {
    gone.catch(() => undefined)
    watch.kill()
  }
}

async function shapeOf(
  { client, people }: World,
  { name, columns }: ExpandingFile,
): Promise<string | null> {
  if (columns === undefined) return null
  const made = await client.as(people.admin).post('/shapes', { name, columns })
  expect(made.status, made.text.slice(0, 300)).to.equal(201)
  return made.body.uuid as string
}

function send(
  world: World,
  { file, options }: ExpandingFile,
  content: Buffer,
  path: '/sources' | '/sources/preview',
  more: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const fields = {
    ...more,
    ...(path === '/sources' && { source: 'file', name: 'Sent', tableName: uniqueTable() }),
    ...(options !== undefined && { options: JSON.stringify(options) }),
  }
  return world.client
    .as(world.people.admin)
    .withHeaders({ 'accept-language': 'en' })
    .request('POST', path, formOf(file, content, fields))
}
