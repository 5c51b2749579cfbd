import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import {
  type ByteSource,
  DEFAULT_LIMITS,
  EngineError,
  type EngineLimits,
  type EngineProblem,
  type Input,
} from '../../../pipelines/index.ts'
import { openInput } from '../../../pipelines/input/open-input.ts'
import { openText, type TextInput } from '../../../pipelines/input/text/open-text.ts'
import type { TextOptions } from '../../../pipelines/input/text/text-options.ts'
import { failure, inChunks } from '../../contracts/reader.ts'

interface Settings {
  readonly options?: TextOptions
  readonly limits?: Partial<EngineLimits>
  readonly chunk?: number
}

interface Opened {
  readonly input: Input
  readonly text: TextInput
}

function open(bytes: Buffer, { chunk = 64 * 1024, ...settings }: Settings = {}): Promise<Opened> {
  return openSource({ kind: 'bytes', open: async () => inChunks(bytes, chunk) }, settings)
}

async function openSource(
  source: ByteSource,
  { options = {}, limits = {} }: Settings = {},
): Promise<Opened> {
  const { signal } = new AbortController()
  const context = { limits: { ...DEFAULT_LIMITS, ...limits }, tempDir: tmpdir(), signal }
  const input = await openInput(source, context, () => false)
  return { input, text: openText(input, { options }) }
}

async function textOf({ input, text }: Opened): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for (let chunk = await text.next(); chunk !== null; chunk = await text.next()) {
      chunks.push(chunk)
    }
  } finally {
    await input.close()
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
}

const read = async (bytes: Buffer, settings?: Settings) => textOf(await open(bytes, settings))

async function problemOf(promise: Promise<unknown>): Promise<EngineProblem & { message: string }> {
  const error = await failure(promise)
  if (!(error instanceof EngineError)) throw error
  return { ...error.problem, message: error.message }
}

const SAMPLE = 'prénom;€;ville\nÉlodie;’1’;Œuvre\n'
const LATIN = Buffer.from('pr\xe9nom;\x80;ville\n\xc9lodie;\x921\x92;\x8cuvre\n', 'latin1')
const BEYOND_THE_FIRST_BYTES = Buffer.from('a;b\n1;2\n'.repeat(20_000))

describe('the text of an input', () => {
  const encoded: [string, Buffer, string, string][] = [
    ['UTF-8', Buffer.from(SAMPLE), 'utf-8', 'valid UTF-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${SAMPLE}`), 'utf-8', 'byte order mark'],
    ['UTF-8 with two', Buffer.from(`\ufeff\ufeff${SAMPLE}`), 'utf-8', 'byte order mark'],
    [
      'UTF-16LE with a mark',
      Buffer.from(`\ufeff${SAMPLE}`, 'utf16le'),
      'utf-16le',
      'byte order mark',
    ],
    [
      'UTF-16BE with a mark',
      Buffer.from(`\ufeff${SAMPLE}`, 'utf16le').swap16(),
      'utf-16be',
      'byte order mark',
    ],
    ['UTF-16LE by its zeros', Buffer.from(SAMPLE, 'utf16le'), 'utf-16le', 'zero bytes'],
    ['UTF-16BE by its zeros', Buffer.from(SAMPLE, 'utf16le').swap16(), 'utf-16be', 'zero bytes'],
    ['windows-1252', LATIN, 'windows-1252', 'not UTF-8'],
  ]
  for (const [name, bytes, value, evidence] of encoded) {
    for (const chunk of [1, 3, 64 * 1024]) {
      it(`is recognised as ${name}, ${chunk} bytes at a time`, async () => {
        const opened = await open(bytes, { chunk })
        const { text } = opened
        expect(text.encoding).to.include({ name: value, evidence })
        expect(SAMPLE.startsWith(text.head.toString())).to.equal(true)
        expect(await textOf(opened)).to.equal(SAMPLE)
        expect(text.misjudged).to.equal(null)
      })
    }
  }

  it('is read in the encoding that is given, by any of its labels', async () => {
    expect(await read(LATIN, { options: { encoding: 'latin1' } })).to.equal(SAMPLE)
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
    expect(await read(cyrillic, { options: { encoding: 'CP1251' } })).to.equal('Привет')
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    expect(await read(japanese, { options: { encoding: 'shift_jis' }, chunk: 1 })).to.equal('日本')
  })

  it('refuses an encoding that does not exist', async () => {
    const problem = await problemOf(read(LATIN, { options: { encoding: 'ebcdic' } }))
    expect(problem).to.include({ kind: 'options', pointer: '/encoding' })
    expect(problem.message).to.include('ebcdic')
  })

  it('is reported as misjudged where bytes that are no UTF-8 come late', async () => {
    const opened = await open(Buffer.concat([BEYOND_THE_FIRST_BYTES, LATIN]))
    const { text } = opened
    expect(text.encoding.name).to.equal('utf-8')
    expect(await textOf(opened)).to.equal(`${BEYOND_THE_FIRST_BYTES.toString()}${SAMPLE}`)
    expect(text.misjudged).to.deep.equal({ encoding: 'windows-1252' })
  })

  it('is not UTF-8 when it ends inside a character', async () => {
    const opened = await open(Buffer.concat([BEYOND_THE_FIRST_BYTES, Buffer.from([0xe2, 0x82])]))
    const { text } = opened
    await textOf(opened)
    expect(text.misjudged).to.deep.equal({ encoding: 'windows-1252' })
  })

  for (const chunk of [1, 64 * 1024]) {
    it(`is held to UTF-8 where that was given, ${chunk} bytes at a time`, async () => {
      const valid = Buffer.from('é\nb\n€\n')
      const broken = Buffer.concat([valid, Buffer.from('d\xe9f\ng\n', 'latin1')])
      const problem = await problemOf(read(broken, { options: { encoding: 'utf-8' }, chunk }))
      expect(problem).to.include({ kind: 'structure', line: 4 })
    })
  }

  it('names the line where UTF-16 breaks', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffa\nb\n', 'utf16le'),
      Buffer.from([0x00, 0xdc, 0x00, 0xdc]),
    ])
    expect(await problemOf(read(bytes, { chunk: 2 }))).to.include({ kind: 'structure', line: 3 })
  })

  it('is refused as empty where there is not a byte, packed or not', async () => {
    for (const bytes of [Buffer.alloc(0), gzipSync('')]) {
      expect(await problemOf(read(bytes))).to.include({ kind: 'empty' })
    }
  })

  describe('packed with gzip', () => {
    const packed = gzipSync(SAMPLE)
    for (const chunk of [1, 5, 64 * 1024]) {
      it(`is unpacked, member by member, ${chunk} bytes at a time`, async () => {
        const bytes = Buffer.concat([packed, gzipSync('x;y\n'), Buffer.alloc(512)])
        const opened = await open(bytes, { chunk })
        const { input } = opened
        expect(input.packing).to.deep.equal(['gzip'])
        expect(await textOf(opened)).to.equal(`${SAMPLE}x;y\n`)
        expect(input.bytesRead).to.equal(bytes.length)
      })

      it(`is refused when it was cut short, ${chunk} bytes at a time`, async () => {
        const problem = await problemOf(read(packed.subarray(0, -5), { chunk }))
        expect(problem.kind).to.equal('structure')
        expect(problem.message).to.include('cut short')
      })

      it(`is refused when something else follows, ${chunk} bytes at a time`, async () => {
        const bytes = Buffer.concat([packed, Buffer.from('something else')])
        expect(await problemOf(read(bytes, { chunk }))).to.include({ kind: 'structure' })
      })
    }

    it('is refused when something else follows behind padding', async () => {
      const bytes = Buffer.concat([packed, Buffer.alloc(70_000), Buffer.from('something else')])
      expect(await problemOf(read(bytes))).to.include({ kind: 'structure' })
    })

    it('is refused when a byte was changed', async () => {
      const bytes = Buffer.from(gzipSync(randomBytes(4096).toString('hex')))
      bytes[2000]! ^= 0xff
      const problem = await problemOf(read(bytes))
      expect(problem.kind).to.equal('structure')
      expect(problem.message).to.include('corrupt')
    })

    it('is stopped when it grows out of proportion', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a,'))
      const problem = await problemOf(read(bomb))
      expect(problem).to.include({ kind: 'limit', limit: 'expansionRatio' })
    })

    it('is stopped when it grows too large', async () => {
      const bytes = gzipSync(randomBytes(100_000).toString('hex'))
      const problem = await problemOf(read(bytes, { limits: { expandedBytes: 150_000 } }))
      expect(problem).to.include({ kind: 'limit', limit: 'expandedBytes' })
    })
  })

  describe('that is binary', () => {
    it('is refused with how it begins, also inside gzip', async () => {
      const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256))
      for (const sent of [noise, gzipSync(noise)]) {
        const problem = await problemOf(read(sent))
        expect(problem.kind).to.equal('format')
        expect(problem.message).to.include('binary').and.include('00 07 0e')
      }
    })

    it('is said to be UTF-32 where it is, with a mark or without', async () => {
      const points = [...'id;nom\n1;Zoé\n'].map((sign) => sign.codePointAt(0)!)
      const big = Buffer.alloc(points.length * 4)
      for (const [at, point] of points.entries()) big.writeUInt32BE(point, at * 4)
      const little = Buffer.from(big).swap32()
      const marks = [Buffer.of(0, 0, 0xfe, 0xff), Buffer.of(0xff, 0xfe, 0, 0)]
      const [markOfBig, markOfLittle] = marks as [Buffer, Buffer]
      for (const sent of [
        big,
        little,
        Buffer.concat([markOfBig, big]),
        Buffer.concat([markOfLittle, little]),
      ]) {
        const problem = await problemOf(read(sent))
        expect(problem.kind).to.equal('format')
        expect(problem.message).to.include('UTF-32')
      }
    })

    it('is text when a table holds a few control characters', async () => {
      const text = 'a;b\n1;\u0001\u0002\n\u0000;2\n'
      expect(await read(Buffer.from(text))).to.equal(text)
    })
  })

  it('is read into memory that was released, though chunks end inside characters', async () => {
    const folder = await makeFolder('open-text')
    const path = join(folder, 'input')
    const bytes = Buffer.from('所有的字都很长;'.repeat(250_000))
    await writeFile(path, bytes)
    const { input, text } = await openSource({
      kind: 'bytes',
      path,
      open: () => Promise.reject(new Error('not asked for')),
    })
    const copies: Buffer[] = []
    const large = new Set<ArrayBufferLike>()
    for (let chunk = await text.next(); chunk !== null; chunk = await text.next()) {
      copies.push(Buffer.from(chunk))
      if (chunk.length > 64) large.add(chunk.buffer)
      text.release(chunk)
    }
    await input.close()
    await rm(folder, { recursive: true })
    expect(Buffer.concat(copies).equals(bytes)).to.equal(true)
    expect(large.size).to.be.at.most(3)
  })
})
