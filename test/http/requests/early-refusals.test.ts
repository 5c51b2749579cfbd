import { once } from 'node:events'
import { connect } from 'node:net'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'

describe('a refusal that comes before the body', () => {
  const app = useApp()

  for (let attempt = 1; attempt <= 5; attempt++) {
    it(`reaches a client that still sends (${attempt})`, async () => {
      const form = new FormData()
      form.append('file', new Blob(['x'.repeat(300_000)]), 'large.csv')
      const { status } = await app.client.request('POST', '/documents', { content: form })
      expect(status).to.equal(401)
    })
  }

  it('is that of fields that are too long together', async () => {
    const client = app.client.as(await app.build.user())
    const form = new FormData()
    for (const name of ['one', 'two', 'three']) form.append(name, 'x'.repeat(500_000))
    form.append('file', new Blob(['a\n1\n']), 'a.csv')
    const { status, body } = await client.request('POST', '/sources', { content: form })
    expect(status).to.equal(400)
    expect(body.errors).to.deep.equal([{ pointer: '/three', message: 'is too long' }])
  })

  it('closes the connection of a client that never stops sending', async () => {
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write('POST /documents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString()
    })
    await once(socket, 'close')
    expect(answer).to.match(/^HTTP\/1\.1 401 /)
    expect(answer).to.match(/^connection: close\r$/im)
  })
})
