import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

const MODULE = resolve(import.meta.dirname, '../../src/console/core/sample.js')

interface Part {
  readonly blob: Blob
  readonly name: string
}
type Sample = Part & { readonly whole: boolean; readonly beginning: Part | null }

const KIB = 1024

describe('the sample of a file', () => {
  let sampleOf: (file: File) => Promise<Sample | null>
  before('loads the module of the browser', async () => {
    ;({ sampleOf } = (await import(MODULE)) as { sampleOf: typeof sampleOf })
  })
  const of = (content: string | Uint8Array<ArrayBuffer>) =>
    sampleOf(new File([content], 'rows.csv'))
  const textOf = async ({ blob }: Part) =>
    gunzipSync(new Uint8Array(await blob.arrayBuffer())).toString()

  it('is a short file itself, without a beginning of its own', async () => {
    for (const content of ['', 'a;b\n1;2\n']) {
      const sample = (await of(content))!
      expect(sample).to.include({ whole: true, beginning: null, name: 'rows.csv' })
      expect(await sample.blob.text()).to.equal(content)
    }
  })

  it('begins with enough rows to show, and ends where a row does', async () => {
    const row = `1;"${'x'.repeat(50)}\nmore"\n`
    const content = `n;text\n${row.repeat(30_000)}`
    const sample = (await of(content))!
    expect(sample.whole).to.equal(false)
    for (const part of [sample, sample.beginning!]) {
      const text = await textOf(part)
      expect(content.startsWith(text)).to.equal(true)
      expect(text.endsWith('more"\n')).to.equal(true)
    }
    expect((await textOf(sample)).length).to.be.within(1000 * KIB, 1024 * KIB)
    expect((await textOf(sample.beginning!)).length).to.be.within(63 * KIB, 65 * KIB)
  })

  it('begins with more bytes where rows are long', async () => {
    const { beginning } = (await of(`${'y'.repeat(2 * KIB)}\n`.repeat(400)))!
    expect((await textOf(beginning!)).split('\n')).to.have.length(151)
  })

  it('is the whole of what cannot be cut', async () => {
    const packed = new Uint8Array(200 * KIB).fill(1)
    expect(await of(packed)).to.include({ whole: true, beginning: null })
    expect(await of(new Uint8Array(2048 * KIB).fill(1))).to.equal(null)
  })
})
