import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'

import { expect } from 'chai'

import { lendBody, throwBodyAway } from '../../../src/http/body/body-memory.ts'

describe('the memory of a body', () => {
  const received = (text: string) => {
    const chunk = Buffer.allocUnsafeSlow(text.length)
    chunk.write(text)
    return chunk
  }

  const lend = (...chunks: readonly Buffer[]) => {
    const incoming = new PassThrough()
    const giveBack = lendBody(incoming as unknown as IncomingMessage)
    for (const chunk of chunks) incoming.emit('data', chunk)
    return giveBack
  }

  it('is free when its reader gives back what came after it', () => {
    const [one, two] = [received('one'), received('two')]
    const giveBack = lend(one, two)
    giveBack(one)
    expect(one).to.have.length(3)
    giveBack(two)
    expect(one.buffer.byteLength).to.equal(0)
    expect(two.toString()).to.equal('two')
  })

  it('is kept while another part of it is to come', () => {
    const [one, two] = [received('part, part'), received('two')]
    const giveBack = lend(one, two)
    giveBack(one.subarray(0, 4))
    giveBack(Buffer.from('bytes of somebody else'))
    expect(one.subarray(6).toString()).to.equal('part')
    giveBack(one.subarray(6))
    giveBack(two.subarray(1))
    expect(one.buffer.byteLength).to.equal(0)
  })

  it('is kept where it belongs to others, too', () => {
    const pooled = Buffer.from('pooled')
    const last = received('last')
    const giveBack = lend(pooled, last)
    giveBack(pooled)
    giveBack(last)
    expect(pooled.toString()).to.equal('pooled')
  })

  it('is not freed by bytes that were given back before', () => {
    const [one, two] = [received('one'), received('two')]
    const giveBack = lend(one, two)
    for (const bytes of [one, two, one]) giveBack(bytes)
    expect(two.toString()).to.equal('two')
  })

  it('is free at once where nobody reads', async () => {
    const incoming = new PassThrough()
    throwBodyAway(incoming as unknown as IncomingMessage)
    const [own, pooled] = [received('own'), Buffer.from('pooled')]
    for (const chunk of [own, pooled]) incoming.write(chunk)
    await new Promise((resolve) => incoming.once('end', resolve).end())
    expect(own.buffer.byteLength).to.equal(0)
    expect(pooled.toString()).to.equal('pooled')
  })
})
