import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import {
  type ByteSource,
  createEngine,
  EngineError,
  type EngineLimits,
  type IngestOptions,
  type Preview,
} from '../../../pipelines/index.ts'
import { inChunks } from '../../contracts/reader.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip, type ZipEntry } from '../../support/workbooks/zip-writer.ts'
import { patience } from '../../support/patience.ts'
import { soundFiles } from '../../trust/input/random-damage.ts'
import { useFolder } from '../../support/folder.ts'

const csv = Buffer.from('nom;ville\nZoé;Nîmes\n')
const json = Buffer.from('[{"nom":"Zoé","ville":"Nîmes"}]')
const lines = Buffer.from('{"nom":"Zoé","ville":"Nîmes"}\n{"nom":"Léa","ville":"Metz"}\n')
const xlsx = rawWorkbook({ sheets: [{ rows: textRow('nom', 'ville') + textRow('Zoé', 'Nîmes') }] })

const zipped = (content: Buffer, name = 'données.csv', more: readonly ZipEntry[] = []) =>
  zip([{ name, content }, ...more])

describe('the format of an input', () => {
  const tempDir = useFolder('recognition')
  // A workbook that was refused, a bomb, a cut archive: nothing may stay behind.
  afterEach(async () => {
    expect(await readdir(tempDir.path)).to.deep.equal([])
  })

  interface Settings {
    readonly options?: IngestOptions
    readonly limits?: Partial<EngineLimits>
  }

  function preview(source: ByteSource, { options = {}, limits = {} }: Settings): Promise<Preview> {
    const engine = createEngine({ tempDir: tempDir.path, limits })
    return engine.preview(source, options, { limit: 5, signal: patience() })
  }

  const streamed = (bytes: Buffer, settings: Settings = {}) =>
    preview({ kind: 'bytes', open: async () => inChunks(bytes, 1000) }, settings)

  async function fromFile(bytes: Buffer): Promise<Preview> {
    const path = join(tempDir.path, 'input')
    await writeFile(path, bytes)
    try {
      const open = async () => inChunks(bytes, 1000)
      return await preview({ kind: 'bytes', path, open }, {})
    } finally {
      await rm(path)
    }
  }

  async function refused(bytes: Buffer, settings: Settings = {}): Promise<EngineError> {
    try {
      await streamed(bytes, settings)
    } catch (error) {
      if (error instanceof EngineError) return error
      throw error
    }
    throw new Error('It was not refused')
  }

  const recognised: Record<string, [Buffer, string, string]> = {
    CSV: [csv, 'csv', 'none'],
    'a JSON array': [json, 'json', 'none'],
    'JSON line by line': [lines, 'json', 'none'],
    'a workbook': [xlsx, 'excel', 'none'],
    'CSV in gzip': [gzipSync(csv), 'csv', 'gzip'],
    'JSON in gzip': [gzipSync(json), 'json', 'gzip'],
    'a workbook in gzip': [gzipSync(xlsx), 'excel', 'gzip'],
    'CSV in a zip': [zipped(csv), 'csv', 'zip'],
    'JSON in a zip': [zipped(json, 'data.json'), 'json', 'zip'],
    'JSON lines in a zip, stored as they are': [
      zip([{ name: 'data.ndjson', content: lines, method: 'store' }]),
      'json',
      'zip',
    ],
    'a workbook in a zip': [zipped(xlsx, 'classeur.xlsx'), 'excel', 'zip'],
    'a workbook in a zip in gzip': [gzipSync(zipped(xlsx, 'a.xlsx')), 'excel', 'gzip, zip'],
    'CSV in a zip in gzip': [gzipSync(zipped(csv)), 'csv', 'gzip, zip'],
    'CSV under the name of a workbook, in a zip': [zipped(csv, 'menteur.xlsx'), 'csv', 'zip'],
    'CSV in a zip made by a Mac': [
      zipped(csv, 'dossier/a.csv', [
        { name: 'dossier/', content: '' },
        { name: '__MACOSX/dossier/._a.csv', content: 'x' },
        { name: 'dossier/.DS_Store', content: 'x' },
      ]),
      'csv',
      'zip',
    ],
  }
  for (const [name, [bytes, format, compression]] of Object.entries(recognised)) {
    it(`is recognised by its content: ${name}`, async () => {
      for (const found of [await streamed(bytes), await fromFile(bytes)]) {
        expect(found.input.format).to.equal(format)
        expect(found.input.dialect['compression'] ?? 'none').to.equal(compression)
        expect(found.columns.map((column) => column.name)).to.deep.equal(['nom', 'ville'])
        expect(found.rows[0]).to.deep.equal(['"Zoé"', '"Nîmes"'])
      }
    })
  }

  const tables = { ...soundFiles(), CSV: csv, JSON: json, 'JSON lines': lines }
  for (const [kind, bytes] of Object.entries(tables)) {
    it(`is the same in a zip that holds nothing but ${kind}`, async () => {
      const plain = await streamed(bytes)
      const packed = await streamed(zipped(bytes, 'dossier/fichier'))
      expect(packed.input.dialect['compression']).to.equal('zip')
      expect(packed.rows).to.have.length.above(0)
      for (const fact of ['reader', 'columns', 'rows', 'table', 'warnings'] as const) {
        expect(packed[fact], fact).to.deep.equal(plain[fact])
      }
    })
  }

  it('is reported with the name of the file inside a zip', async () => {
    const { input } = await streamed(zipped(csv, 'dossier/ventes.csv'))
    expect(input.dialect['member']).to.equal('dossier/ventes.csv')
  })

  it('is read beside files of a zip that are hidden, or are no tables by their names', async () => {
    const beside = [
      'notice.pdf',
      'doc/Lisez-moi.DOCX',
      'carte.png',
      'ventes.csv.sha256',
      '.gitignore',
      '.git/config',
      '__MACOSX/dossier/._ventes.csv',
      'dossier/~$ventes.xlsx',
      'Thumbs.db',
    ].map((name) => ({ name, content: name }))
    const { input, columns } = await streamed(zipped(csv, 'dossier/ventes.csv', beside))
    expect(input.dialect['member']).to.equal('dossier/ventes.csv')
    expect(columns.map(({ name }) => name)).to.deep.equal(['nom', 'ville'])
  })

  describe('is refused with what was seen', () => {
    it('where a zip holds several files that could be tables, by their names alone', async () => {
      const beside = ['b.txt', 'notice.pdf'].map((name) => ({ name, content: csv }))
      const { problem, message } = await refused(zipped(csv, 'a.csv', beside))
      expect(problem).to.deep.equal({ kind: 'format' })
      expect(message).to.contain('a.csv, b.txt').and.not.to.contain('notice')
    })

    it('where a zip holds nothing but files that are no tables', async () => {
      const files = ['a.pdf', 'b.pdf'].map((name) => ({ name, content: '%PDF-1.7' }))
      expect((await refused(zip(files))).message).to.contain('a.pdf, b.pdf')
    })

    it('where a zip holds several files, by their names', async () => {
      const { problem, message } = await refused(
        zipped(csv, 'a.csv', [{ name: 'b.json', content: json }]),
      )
      expect(problem).to.deep.equal({ kind: 'format' })
      expect(message).to.contain('a.csv, b.json')
    })

    it('where a zip holds many files, by some of their names', async () => {
      const many = Array.from({ length: 30 }, (_, at) => ({ name: `${at}.csv`, content: csv }))
      expect((await refused(zip(many))).message).to.contain('9.csv and 20 more')
    })

    it('where a zip holds none', async () => {
      for (const bytes of [zip([]), zip([{ name: 'dossier/', content: '' }])]) {
        expect((await refused(bytes)).problem).to.deep.equal({ kind: 'empty' })
      }
    })

    it('where a zip holds an empty file', async () => {
      expect((await refused(zipped(Buffer.alloc(0)))).problem).to.deep.equal({ kind: 'empty' })
    })

    const foreign: Record<string, [Buffer, string]> = {
      'a PDF in a zip': [zipped(Buffer.from('%PDF-1.7\n'), 'a.csv'), 'PDF'],
      'a web page in gzip': [gzipSync('<!doctype html><html>'), 'HTML'],
      'a zip in a zip': [zipped(zipped(csv)), 'packed once more (a zip archive)'],
      'gzip in a zip': [zipped(gzipSync(csv), 'a.csv.gz'), '“a.csv.gz”, which is packed once more'],
      'a tar in gzip': [
        gzipSync(Buffer.concat([Buffer.from('a.csv'), Buffer.alloc(252), Buffer.from('ustar')])),
        'tar archive',
      ],
      'a zip of another method': [
        zip([{ name: 'a.csv', content: csv, deflated: csv, methodNumber: 12 }]),
        'packs a.csv in an unusual way (method 12)',
      ],
      'a web page in UTF-16': [Buffer.from('\ufeff<html><body>x</body></html>', 'utf16le'), 'HTML'],
      'a web page below a remark': [Buffer.from('<!-- saved from -->\n<html>'), 'HTML'],
      'a page of parts': [
        Buffer.from('MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n'),
        'MIME',
      ],
      'a picture in XML': [
        Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'),
        'XML',
      ],
      'a PDF below a blank line': [Buffer.from('\r\n%PDF-1.7\n'), 'PDF'],
      'gzip in gzip': [gzipSync(gzipSync(csv)), 'gzip more than once'],
      'a zip with a password': [
        zip([{ name: 'a.csv', content: csv, flags: 1 }]),
        'protected by a password',
      ],
      'a Word document': [zip([{ name: 'word/document.xml', content: '<x/>' }]), 'Word document'],
      'bytes of no kind': [Buffer.from('00010203040506'.repeat(40), 'hex'), '00 01 02 03'],
    }
    for (const [name, [bytes, says]] of Object.entries(foreign)) {
      it(name, async () => {
        const { problem, message } = await refused(bytes)
        expect(problem).to.deep.equal({ kind: 'format' })
        expect(message).to.contain(says)
      })
    }
  })

  describe('that the option contradicts', () => {
    const contradictions: [IngestOptions['format'], string, Buffer][] = [
      ['csv', 'excel', xlsx],
      ['csv', 'excel', gzipSync(xlsx)],
      ['csv', 'json', json],
      ['json', 'csv', csv],
      ['json', 'csv', zipped(csv)],
      ['json', 'excel', xlsx],
      ['excel', 'csv', csv],
      ['excel', 'json', gzipSync(json)],
    ]
    for (const [format, content, bytes] of contradictions) {
      it(`is refused: ${format} for ${content}`, async () => {
        const { problem, message } = await refused(bytes, { options: { format: format! } })
        expect(problem).to.deep.equal({ kind: 'options', pointer: '/format' })
        expect(message).to.contain(`says ${format}`).and.contain(`is of the format ${content}`)
      })
    }

    it('takes a header of HTML tags for a header of CSV', async () => {
      const { columns } = await fromFile(Buffer.from('<id>;<b>nom</b>\n1;Zoé\n'))
      expect(columns.map(({ name }) => name)).to.deep.equal(['<id>', '<b>nom</b>'])
    })

    it('reads what is named where the content may be either', async () => {
      const brackets = Buffer.from('[1;[2\n3;4\n')
      const { input } = await streamed(brackets, { options: { format: 'csv' } })
      expect(input.format).to.equal('csv')
      const broken = Buffer.from('oops\n{"a":1}\n')
      const rest = await streamed(broken, { options: { format: 'json', onInvalid: 'skip' } })
      expect(rest.rows).to.deep.equal([['1']])
    })

    it('says what is wrong with broken JSON where JSON is named', async () => {
      const { problem } = await refused(Buffer.from('[{"a":1},'), { options: { format: 'json' } })
      expect(problem.kind).to.equal('structure')
    })
  })

  describe('takes JSON with comments for JSON, to say what is wrong with it', () => {
    const rows = '[{"a":1}]'
    for (const text of [`// x\n${rows}`, `/* x * / */\n// y\r\n{"a":1}`, `\ufeff/**/ ${rows}`]) {
      it(JSON.stringify(text), async () => {
        const { message } = await refused(Buffer.from(text))
        expect(message).to.contain('JSON has no comments')
      })
    }

    it('takes a sequence of texts with separators for JSON, too', async () => {
      const { message } = await refused(Buffer.from('\x1e{"a":1}\n\x1e{"a":2}\n'))
      expect(message).to.contain('U+001E')
    })

    it('takes a CSV with such a line above its header for CSV', async () => {
      const { input } = await fromFile(Buffer.from('// ventes {"a":1}\nnom;ville\nZoé;Nîmes\n'))
      expect(input.format).to.equal('csv')
    })
  })

  describe('is told as broken structure where an archive is cut or damaged', () => {
    for (const share of [0.1, 0.5, 0.9]) {
      it(`cut at ${share * 100} % of a zip, a workbook or a packed workbook`, async () => {
        for (const whole of [zipped(csv), xlsx, gzipSync(xlsx), zipped(xlsx, 'a.xlsx')]) {
          const { problem } = await refused(whole.subarray(0, Math.floor(whole.length * share)))
          expect(problem.kind).to.equal('structure')
        }
      })
    }

    it('does not call a cut workbook a zip archive', async () => {
      const { message } = await refused(xlsx.subarray(0, xlsx.length - 30))
      expect(message).to.contain('truncated').and.not.contain('zip')
    })

    it('in a zip whose checksum is wrong', async () => {
      const { problem, message } = await refused(zip([{ name: 'a.csv', content: csv, crc: 1 }]))
      expect(problem.kind).to.equal('structure')
      expect(message).to.contain('a.csv')
    })
  })

  describe('is stopped where it expands without end', () => {
    const blanks = Buffer.alloc(16 * 1024 * 1024, `${'a'.repeat(2000)};b\n`)
    const limitOf = async (bytes: Buffer, limits: Partial<EngineLimits> = {}) => {
      const { problem } = await refused(bytes, { limits })
      return problem.kind === 'limit' ? problem.limit : problem
    }

    it('in a zip, by its ratio', async () => {
      expect(await limitOf(zipped(blanks))).to.equal('expansionRatio')
    })

    it('in a zip, by its size', async () => {
      const limits = { expandedBytes: 100_000, expansionRatio: 1e9 }
      expect(await limitOf(zipped(blanks), limits)).to.equal('expandedBytes')
    })

    it('in a zip that lies about its size', async () => {
      const lying = zip([{ name: 'a.csv', content: csv, deflated: deflateRawSync(blanks) }])
      expect(await limitOf(lying)).to.deep.include({ kind: 'structure' })
    })

    it('as a zip in gzip, by the ratio of both together', async () => {
      const rows = Array.from({ length: 400_000 }, (_, row) => `${row % 97};b\n`).join('')
      const stored = zip([{ name: 'a.csv', content: rows, method: 'store' }])
      expect(await limitOf(gzipSync(stored))).to.equal('expansionRatio')
      const twice = gzipSync(zipped(gzipSync(blanks), 'a.csv'))
      expect(await limitOf(twice)).to.deep.equal({ kind: 'format' })
    })

    it('as a workbook in gzip, by the ratio of both together', async () => {
      const padding = {
        name: 'xl/media/pad',
        content: Buffer.alloc(3_000_000),
        method: 'store',
      } as const
      // Long rows: the bound lies within what a preview reads, however far it reads ahead.
      const sheet = textRow('a') + textRow('x'.repeat(700)).repeat(10_000)
      const bomb = rawWorkbook({ sheets: [{ rows: sheet }], more: [padding] })
      expect(await limitOf(gzipSync(bomb), { expansionRatio: 2000 })).to.equal('expansionRatio')
    })

    it('by the number of files', async () => {
      const many = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, content: '' }))
      expect(await limitOf(zip(many), { archiveEntries: 20 })).to.equal('archiveEntries')
    })
  })
})
