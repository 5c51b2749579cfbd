import { constants, deflateRawSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import { useApp } from '../../support/app.ts'
import { client, put, useCollections } from '../../support/collections.ts'
import { objectsIn } from '../../support/uploads.ts'
import { rawEntries, sheetXml, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip, type ZipEntry } from '../../support/workbooks/zip-writer.ts'

const HEAD = 'Client;Date;Montant\n'
const BLANKS = Buffer.alloc(MiB, ' ')
const LINES = Buffer.alloc(MiB, '\n')
/** In mebibytes. */
const GIGABYTE = 1024
const KIBIBYTES_A_MEBIBYTE = 1024

/** Small to send, a gigabyte when it is unpacked; nobody ever holds that. */
const gigabyteOf = (piece: Buffer): Buffer =>
  Buffer.concat([gzipSync(HEAD), ...Array<Buffer>(GIGABYTE).fill(gzipSync(piece))])

function entryOf(name: string, start: string, piece: Buffer, end: string): ZipEntry {
  const deflated = (text: string | Buffer) =>
    deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  const pieces = Array<Buffer>(GIGABYTE).fill(deflated(piece))
  return {
    name,
    content: '',
    size: start.length + GIGABYTE * piece.length + end.length,
    deflated: Buffer.concat([deflated(start), ...pieces, deflateRawSync(end)]),
  }
}

function workbookWith(name: string, start: string, end: string): Buffer {
  const rows = `${textRow('Client', 'Date', 'Montant')}<row><c t="s"><v>0</v></c></row>`
  const others = rawEntries({ sheets: [{ rows }] }).filter((entry) => entry.name !== name)
  return zip([...others, entryOf(name, start, BLANKS, end)])
}

const [SHEET_START = '', SHEET_END = ''] = sheetXml('\0').split('\0')
const CELL = '<row><c t="inlineStr"><is><t>'

const FILES: Readonly<Record<string, () => Buffer>> = {
  'a gigabyte of blanks in gzip': () => gigabyteOf(BLANKS),
  'a gigabyte of empty lines in gzip': () => gigabyteOf(LINES),
  'a gigabyte of blanks in a zip': () => zip([entryOf('mai.csv', HEAD, BLANKS, '\n')]),
  'a zip in a zip': () =>
    zip([
      { name: 'mai.zip', content: zip([entryOf('mai.csv', HEAD, BLANKS, '\n')]), method: 'store' },
    ]),
  'gzip in gzip': () => gzipSync(gzipSync(gigabyteOf(BLANKS))),
  'a workbook whose cell is a gigabyte': () =>
    workbookWith(
      'xl/worksheets/sheet1.xml',
      `${SHEET_START}${textRow('Client')}${CELL}`,
      `</t></is></c></row>${SHEET_END}`,
    ),
  'a workbook with a gigabyte between its rows': () =>
    workbookWith(
      'xl/worksheets/sheet1.xml',
      `${SHEET_START}${textRow('Client', 'Date', 'Montant')}`,
      SHEET_END,
    ),
  'a workbook with a gigabyte of shared strings': () =>
    workbookWith('xl/sharedStrings.xml', '<sst><si><t>', '</t></si></sst>'),
  'JSON a million levels deep': () =>
    Buffer.from(`[{"Client":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}]`),
  'objects a million levels deep': () =>
    Buffer.from(`${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`),
}

describe('hostile files of senders', () => {
  const app = useApp()
  const { collect } = useCollections(app)
  type Collected = Awaited<ReturnType<typeof collect>>
  let collected: Collected
  let most: number

  before(async () => {
    collected = await collect()
    most = process.resourceUsage().maxRSS
  })

  const left = async () => {
    const { rowCount } = await app.database.pool.query('select from object_claims')
    return { claims: rowCount, objects: await objectsIn(app.dataDir) }
  }

  for (const [what, make] of Object.entries(FILES)) {
    it(`are refused in words, and leave nothing: ${what}`, async () => {
      const { holders, slots } = collected
      const [mine, , others] = await slots()
      const file = Uint8Array.from(make())
      expect(file.length).to.be.below(8 * MiB)
      const before = await left()
      const [sent, beside] = await Promise.all([
        put(holders[0]!, mine.uuid, file, {}, 'mai.csv'),
        put(holders[1]!, others.uuid, client(what, 2)),
      ])
      expect(beside.status, beside.text).to.equal(200)
      expect(sent.status, sent.text).to.be.oneOf([400, 413, 415, 422])
      expect(sent.body.detail, sent.text).to.match(/^\p{Lu}.{20}/su)
      expect(sent.body).not.to.have.property('remedies')
      const [told] = (await slots())[0].deliveries
      expect([told.state, told.reason]).to.deep.equal(['refused', sent.body.detail])
      expect(await left()).to.deep.equal(before)
    })
  }

  it('are never held unpacked', () => {
    expect(process.resourceUsage().maxRSS - most).to.be.below(512 * KIBIBYTES_A_MEBIBYTE)
  })
})
