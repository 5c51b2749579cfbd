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
