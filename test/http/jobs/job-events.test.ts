import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { prefersAsync } from '../../../src/http/respond-as-job.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { createApp } from '../../../src/app.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { listen } from '../../../src/http/listen.ts'
import { useApp } from '../../support/app.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

describe('the events of a job', () => {
  const app = useApp({ env: { WORKER: 'false' } })

  const queued = async (owner: Actor) =>
    (
      await app.services.jobs.enqueue(owner, 'folder.delete-root', {
        uuid: randomUUID(),
        folderName: 'Nobody works here',
      })
    ).uuid
  const idsIn = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!)

  it('begin with the present state, and end with the last one', async () => {
    const owner = await app.build.user()
    const uuid = await queued(owner)
    await app.client.as(owner).post(`/jobs/${uuid}/cancel`)
    const { text, headers } = await app.client.as(owner).get(`/jobs/${uuid}/events`)
    expect(headers.get('content-type')).to.match(/^text\/event-stream/)
    expect(headers.get('content-encoding')).to.equal(null)
    expect(idsIn(text)).to.have.length(1)
    const [, data] = /^data: (.+)$/m.exec(text)!
    expect(JSON.parse(data!)).to.deep.equal((await app.client.as(owner).get(`/jobs/${uuid}`)).body)
  })

  it('are not repeated to a client that names the last one it saw', async () => {
    const owner = await app.build.user()
    const uuid = await queued(owner)
    await app.client.as(owner).post(`/jobs/${uuid}/cancel`)
    const follow = (headers: Record<string, string>) =>
      app.client.as(owner).withHeaders(headers).get(`/jobs/${uuid}/events`)
    const [last] = idsIn((await follow({})).text)
    expect(idsIn((await follow({ 'last-event-id': last! })).text)).to.deep.equal([])
    expect(idsIn((await follow({ 'last-event-id': '0' })).text)).to.deep.equal([last])
    expect(idsIn((await follow({ 'last-event-id': 'nonsense' })).text)).to.deep.equal([last])
  })

  it('end when their reader is disabled', async () => {
    const owner = await app.build.user()
    const uuid = await queued(owner)
    const headers = { 'x-app-access-token': await app.client.as(owner).token() }
    const request = get(`${app.address}/jobs/${uuid}/events`, { headers, agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    await app.database.pool.query('update users set disabled_at = now() where id = $1', [owner.id])
    await once(answer.resume(), 'end')
  })

  it('end when the service is told to stop, before their connection is cut', async () => {
    const owner = await app.build.user()
    const uuid = await queued(owner)
    const stopping = new AbortController()
    const logger = createLogger({ level: 'silent', pretty: false })
    const koa = createApp(app.services, logger, {
      routes: allRoutes('0.0.0-test'),
      settings: app.config.server,
      stopping: stopping.signal,
      cut: new AbortController().signal,
    })
    const server = await listen(koa, '127.0.0.1', 0, logger, 'en')
    const headers = { 'x-app-access-token': await app.client.as(owner).token() }
    const request = get(`${server.address}/jobs/${uuid}/events`, { headers })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    stopping.abort()
    const stopped = server.stop(PATIENCE_MS)
    await once(answer.resume(), 'end')
    await stopped
  })
})

describe('Prefer', () => {
  for (const text of [
    'respond-async',
    'Respond-Async',
    'wait=10, respond-async',
    'respond-async; x=1',
    'respond-async=""',
    'note="a, b" , respond-async',
  ]) {
    it(`asks for a job with ${text}`, () => expect(prefersAsync(text)).to.equal(true))
  }
  for (const text of ['', 'wait=10', 'respond-asynchronously', 'note="a, respond-async"']) {
    it(`asks for none with ${text || 'nothing'}`, () => expect(prefersAsync(text)).to.equal(false))
  }
  it('asks for none where it is absent', () => expect(prefersAsync(undefined)).to.equal(false))
})
