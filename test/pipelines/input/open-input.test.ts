import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { type ByteSource, DEFAULT_LIMITS, type Input } from '../../../pipelines/index.ts'
import { openInput } from '../../../pipelines/input/open-input.ts'
import { inChunks } from '../../contracts/reader.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'

const LONG = Buffer.from(
  Array.from({ length: 30_000 }, (_, row) => `ligne ${row} de ${row ** 2}\n`).join(''),
)
const SHORT = LONG.subarray(0, 1000)
const HEAD_BYTES = 64 * 1024

/** Descriptors this process holds; none where the system does not tell. */
async function descriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length
}

describe('an input', () => {
  let tempDir: string
  let path: string
  let heldBefore: number

  beforeEach(async () => {
    tempDir = await makeFolder('input')
    path = join(tempDir, 'source')
    heldBefore = await descriptors()
  })
  afterEach('holds neither file nor descriptor once it is closed', async () => {
    await rm(path, { force: true })
    expect(await readdir(tempDir)).to.deep.equal([])
    await rm(tempDir, { recursive: true })
    expect(await descriptors()).to.be.at.most(heldBefore)
  })

  const open = (source: ByteSource, isFormat: (members: readonly string[]) => boolean) =>
    openInput(
      source,
      { limits: DEFAULT_LIMITS, tempDir, signal: new AbortController().signal },
      ({ members }) => members !== null && isFormat(members),
    )

  const SOURCES: Readonly<Record<string, (bytes: Buffer) => Promise<ByteSource>>> = {
    stream: async (bytes) => ({ kind: 'bytes', open: async () => inChunks(bytes, 1000) }),
    file: async (bytes) => {
      await writeFile(path, bytes)
      return { kind: 'bytes', path, open: () => Promise.reject(new Error('not asked for')) }
    },
  }

  async function restOf(input: Input): Promise<Buffer> {
    const chunks: Buffer[] = []
    const rest = input.rest()
    for (let chunk = await rest.next(); chunk !== null; chunk = await rest.next()) {
      chunks.push(Buffer.from(chunk))
      rest.release?.(chunk)
    }
    return Buffer.concat(chunks)
  }

  const packings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    none: (bytes) => bytes,
    gzip: (bytes) => gzipSync(bytes),
    zip: (content) => zip([{ name: 'a.txt', content }]),
    'zip, stored': (content) => zip([{ name: 'a.txt', content, method: 'store' }]),
    'gzip, zip': (content) => gzipSync(zip([{ name: 'a.txt', content }])),
  }

  for (const [kind, sourceOf] of Object.entries(SOURCES)) {
    for (const [packing, pack] of Object.entries(packings)) {
      for (const [length, bytes] of [
        ['short', SHORT],
        ['long', LONG],
      ] as const) {
        it(`has the head of what was packed, and the rest behind it: ${length}, ${packing}, from a ${kind}`, async () => {
          const sent = pack(bytes)
          const input = await open(await sourceOf(sent), () => false)
          const { head } = input
          expect(head.bytes.equals(bytes.subarray(0, HEAD_BYTES))).to.equal(true)
          expect(head).to.include({ isWhole: length === 'short', members: null })
          expect(input.archive).to.equal(null)
          expect(input.packing.join(', ')).to.equal(packing.replace(/none|, stored/, ''))
          expect(input.member).to.equal(
            packing.includes('zip') && packing !== 'gzip' ? 'a.txt' : null,
          )
          expect(Buffer.concat([head.bytes, await restOf(input)]).equals(bytes)).to.equal(true)
          expect(input.bytesRead).to.equal(sent.length)
          await input.close()
          await input.close()
        })

        it(`is a file to read at random: ${length}, ${packing}, from a ${kind}`, async () => {
          const sent = pack(bytes)
          const input = await open(await sourceOf(sent), () => false)
          const file = await input.file()
          expect(file).to.include({ size: bytes.length, sourceBytes: sent.length })
          expect((await file.read(500, 100)).equals(bytes.subarray(500, 600))).to.equal(true)
          expect((await file.read(0, 10)).equals(bytes.subarray(0, 10))).to.equal(true)
          expect((await file.read(bytes.length - 5, 100)).length).to.equal(5)
          expect(await input.file()).to.equal(file)
          await input.close()
        })
      }
    }

    for (const [what, behind] of Object.entries({
      'a line feed': Buffer.from('\n'),
      zeros: Buffer.alloc(100_000),
      'what looks like an end': Buffer.from(`PK\x05\x06${' '.repeat(40)}`),
    })) {
      it(`ends where the archive does, whatever stands behind it: ${what}, from a ${kind}`, async () => {
        const sent = Buffer.concat([zip([{ name: 'a.txt', content: LONG }]), behind])
        const input = await open(await sourceOf(sent), () => false)
        const all = Buffer.concat([input.head.bytes, await restOf(input)])
        expect(all.equals(LONG)).to.equal(true)
        await input.close()
      })
    }

    it(`is an archive where its files are those of a format, from a ${kind}`, async () => {
      const archive = zip([
        { name: 'own.xml', content: LONG },
        { name: 'more/b.xml', content: SHORT },
      ])
      for (const sent of [archive, gzipSync(archive), zip([{ name: 'a.own', content: archive }])]) {
        const input = await open(await sourceOf(sent), (names) => names.includes('own.xml'))
        expect(input.head.members).to.deep.equal(['own.xml', 'more/b.xml'])
        expect(input.archive).to.include({ sourceBytes: sent.length })
        const flow = await input.archive!.entries[1]!.open()
        expect((await flow.next())?.equals(SHORT)).to.equal(true)
        await flow.close()
        await input.close()
      }
    })
  }

  it('leaves nothing open when it is closed half-way', async () => {
    for (const sourceOf of Object.values(SOURCES)) {
      for (const pack of Object.values(packings)) {
        const input = await open(await sourceOf(pack(LONG)), () => false)
        await input.rest().next()
        await input.close()
      }
    }
  })
})
