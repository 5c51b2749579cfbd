import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Fault } from '../../../src/simulator/faults.ts'
import { type Formulaires, startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useApp } from '../../support/app.ts'

/** What people may see of a key ends here. */
const PREFIX_LENGTH = 16

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '60' },
  { kind: 'malformed' },
  { kind: 'hang' },
  { kind: 'redirect', to: 'http://127.0.0.1:1/' },
  { kind: 'reset' },
  { kind: 'status', status: 401 },
]

describe('an API key', () => {
  const good = `frm_sentinel_good_${randomUUID()}`
  const wrong = `frm_sentinel_wrong_${randomUUID()}`
  const refused = `frm_sentinel_refused_${randomUUID()} é`
  const secrets = [good, wrong, refused].map((key) => key.slice(PREFIX_LENGTH))

  let simulator: Formulaires
  before('starts a forms application', async () => {
    simulator = await startFormulaires({ apiKeys: [good] })
  })
  const app = useApp({
    env: () => ({
      OUTBOUND_ALLOW: new URL(simulator.url).host,
      OUTBOUND_TIMEOUT: '300ms',
      LOG_LEVEL: 'trace',
    }),
  })
  after('stops the forms application', () => simulator.close())

  /** Every kind of call that a key takes part in, well and badly. */
  async function useKeysInEveryWay(): Promise<string[]> {
    const user = await app.build.user({ role: 'admin' })
    const as = app.client.as(user)
    const answers: { text: string; headers: Headers }[] = []
    const keep = async (call: Promise<{ text: string; headers: Headers }>) => {
      answers.push(await call)
    }
    const created = await as
      .withHeaders({ 'idempotency-key': randomUUID() })
      .post('/connections', { name: 'Sentinel', baseUrl: simulator.url, apiKey: good })
    answers.push(created)
    const path = `/connections/${created.body.uuid}`

    await keep(as.post('/connections', { name: '', baseUrl: 'x', apiKey: good }))
    await keep(as.post('/connections', { name: 'n', baseUrl: simulator.url, apiKey: refused }))
    await keep(as.post('/connections', { name: 'n', baseUrl: simulator.url, api_key: good }))
    await keep(as.patch(path, { apiKey: refused }))
    await keep(as.patch(path, { apiKey: [good] }))
    await keep(
      as.request('POST', '/connections', {
        content: `{"apiKey":"${good}","apiKey":"${wrong}"}`,
        type: 'application/json',
      }),
    )
    await keep(
      as.request('PATCH', path, { content: `{"apiKey":"${good}`, type: 'application/json' }),
    )
    await keep(as.get(`${path}/browse`))
    await keep(as.get(`${path}/cards`))
    for (const fault of FAULTS) {
      simulator.faults.add(fault)
      await keep(as.get(`${path}/browse`))
      simulator.faults.clear()
    }
    await keep(as.patch(path, { apiKey: wrong }))
    await keep(as.get(`${path}/browse`))
    await keep(as.get(path))
    await keep(as.get('/connections'))
    return answers.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`)
  }

  /** Each row of each table, as text; bytes show as hexadecimal. */
  async function everythingStored(): Promise<string[]> {
    const { rows: tables } = await app.database.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await app.database.pool.query<{ row: string }>(
        `select t::text as row from ${name} t`,
      )
      found.push(...rows.map(({ row }) => `${name}: ${row}`))
    }
    return found
  }

  it('appears in no answer, no log line and no table', async () => {
    const answers = await useKeysInEveryWay()
    const stored = await everythingStored()
    expect(stored.some((row) => row.startsWith('public.connections'))).to.equal(true)
    expect(answers.some((text) => text.includes(wrong.slice(0, PREFIX_LENGTH)))).to.equal(true)
    expect(app.log.length).to.be.greaterThan(10)

    const disguises = secrets.flatMap((secret) => [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, 24),
    ])
    for (const text of [...answers, ...app.log, ...stored]) {
      for (const disguise of disguises) {
        if (text.includes(disguise)) throw new Error(`A key stands in: ${text.slice(0, 2000)}`)
      }
    }
  })
})
