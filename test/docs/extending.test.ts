import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { ConnectorRegistry } from '../../src/connectors/registry.ts'
import { parseOutboundAllow } from '../../src/security/outbound/allow-list.ts'
import { createOutboundHttp } from '../../src/security/outbound/http.ts'
import { loadInto, rowsOf } from '../pipelines/engine/loading.ts'
import { useDatabase } from '../support/database.ts'
import { createNotesConnector } from './notes-connector.ts'
import { patience, PATIENCE_MS } from '../support/patience.ts'

const ROOT = new URL('../../', import.meta.url)
const guide = readFileSync(new URL('docs/extending.md', ROOT), 'utf8')

describe('the guide to extending', () => {
  const database = useDatabase()

  for (const [, file, code] of guide.matchAll(/^```ts (\S+)\n([^]*?)^```$/gm)) {
    it(`shows what ${file} holds and runs`, () => {
      expect(readFileSync(new URL(file!, ROOT), 'utf8')).to.contain(code)
    })
  }

  it('names no file that is not there', () => {
    const paths = [...guide.matchAll(/`((?:src|test|pipelines|migrations)\/[\w./-]+\.ts)`/g)]
    expect(paths).to.not.have.lengthOf(0)
    for (const [, path] of paths) readFileSync(new URL(path!, ROOT))
  })

  it('has a connector that loads', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const isKnown = request.headers['x-api-key'] === 'key'
      response.statusCode = isKnown ? 200 : 401
      response.end('[{"on":"03/01/2024","text":"à rappeler"}]')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const http = createOutboundHttp({
      allow: parseOutboundAllow([host]),
      requestTimeoutMs: PATIENCE_MS,
    })
    try {
      const registry = new ConnectorRegistry([createNotesConnector({ http })])
      const access = { baseUrl: `http://${host}`, apiKey: 'key' }
      const { source } = await registry.resource('NOTES', 'form').open(access, '', patience())
      await loadInto(database, source)
      expect(await rowsOf(database, 'select date::text as date, note from loaded')).to.deep.equal([
        { date: '2024-01-03', note: 'à rappeler' },
      ])
    } finally {
      await http.close()
      server.close()
    }
  })
})
