import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import {
  startFormulaires,
  type Formulaires,
  type SimulatorOptions,
} from '../../src/simulator/formulaires.ts'
import { runCli, startCli } from '../support/cli.ts'

interface Page {
  readonly items: readonly { readonly uuid: string; readonly values: Record<string, unknown> }[]
  readonly nextCursor: string | null
  readonly total: number
}

const ask = (simulator: Formulaires, path: string, key = simulator.apiKey) =>
  fetch(simulator.url + path, { headers: { 'x-api-key': key } })

const page = async (simulator: Formulaires, uuid: string, query = '') => {
  const answer = await ask(simulator, `/api/v1/forms/${uuid}/responses?limit=50${query}`)
  return (await answer.json()) as Page
}

const walk = async (simulator: Formulaires, uuid: string) => {
  const items: Page['items'][number][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const got: Page = await page(simulator, uuid, cursor && `&cursor=${cursor}`)
    items.push(...got.items)
    cursor = got.nextCursor
  }
  return items
}

describe('simulated forms application', () => {
  const running: Formulaires[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((simulator) => simulator.close()))
  })

  const start = async (options: SimulatorOptions = {}) => {
    const simulator = await startFormulaires({ responsesPerForm: 120, ...options })
    running.push(simulator)
    return simulator
  }
  it('makes the same world from the same seed, and another from another', async () => {
    const [one, same, other] = await Promise.all([start(), start(), start({ seed: 2 })])
    const uuid = one.forms[1]!.uuid
    expect(await walk(one, uuid)).to.deep.equal(await walk(same, uuid))
    expect(one.apiKey).to.equal(same.apiKey)
    expect(other.apiKey).to.not.equal(one.apiKey)
    expect(other.forms[1]!.uuid).to.not.equal(uuid)
  })

  it('gives every record a uuid of its own', async () => {
    const simulator = await start({ responsesPerForm: 5000 })
    const items = await walk(simulator, simulator.forms[0]!.uuid)
    expect(new Set(items.map(({ uuid }) => uuid)).size).to.equal(5000)
  })

  it('has what real forms have: files, choices, nested values, blank and repeated labels', async () => {
    const simulator = await start()
    const [repair, expenses, survey, training] = simulator.forms
    const labels = (form = survey!) => form.questions.map(({ label }) => label)
    expect(labels(expenses).filter((label) => label === 'Montant TTC')).to.have.length(2)
    expect(labels()).to.include('   ').and.to.include(null)

    const repairs = (await walk(simulator, repair!.uuid)).map(({ values }) => values)
    const files = repairs.flatMap(({ photos }) => photos as { id: string; url?: string }[])
    expect(files.some(({ url }) => url === undefined)).to.equal(true)
    expect(files.some(({ url }) => url !== undefined)).to.equal(true)
    expect(repairs.some(({ services }) => (services as string[]).length > 1)).to.equal(true)
    const dates = repairs.map(({ souhaitee }) => String(souhaitee))
    const dayFirst = dates.filter((date) => /^\d\d\/\d\d\/\d{4}$/.test(date))
    expect(dayFirst.length / dates.length).to.be.within(0.8, 0.97)
    expect(dates.some((date) => /^\d{4}-/.test(date))).to.equal(true)

    const amounts = (await walk(simulator, expenses!.uuid)).map(({ values }) => values['montant'])
    expect(amounts.some((amount) => /^\d+ \d{3},\d\d$/.test(String(amount)))).to.equal(true)
    const [trainee] = await walk(simulator, training!.uuid)
    expect(trainee!.values['adresse']).to.have.nested.property('position.lat')
  })

  it('goes on from a cursor while records arrive', async () => {
    const simulator = await start()
    const { uuid } = simulator.forms[0]!
    const first = await page(simulator, uuid)
    simulator.addRecords(uuid, 7)
    const second = await page(simulator, uuid, `&cursor=${first.nextCursor}`)
    expect([first.total, second.total]).to.deep.equal([120, 127])
    const all = await walk(simulator, uuid)
    expect(all).to.have.length(127)
    expect(all.slice(0, 100)).to.deep.equal([...first.items, ...second.items])
  })

  it('takes several keys, and new ones, until they are revoked', async () => {
    const simulator = await start({ apiKeys: ['first-key', 'second-key'] })
    const status = async (key: string) => (await ask(simulator, '/api/v1/forms', key)).status
    expect([await status('first-key'), await status('second-key')]).to.deep.equal([200, 200])
    simulator.keys.revoke('first-key')
    simulator.keys.add('third-key')
    expect([await status('first-key'), await status('third-key')]).to.deep.equal([401, 200])
  })

  it('applies faults to the requests that the script names', async () => {
    const simulator = await start()
    const status = async () => (await ask(simulator, '/api/v1/forms')).status
    simulator.faults.add({ kind: 'status', status: 500, after: 1, times: 2, on: 'listing' })
    expect([await status(), await status(), await status(), await status()]).to.deep.equal([
      200, 500, 500, 200,
    ])
    simulator.faults.add({ kind: 'status', status: 500, on: 'records' })
    expect(await status()).to.equal(200)
    simulator.faults.add({ kind: 'status', status: 503 })
    expect(await status()).to.equal(503)
    simulator.faults.clear()
    expect(await status()).to.equal(200)
  })

  it('has no switches unless they are asked for', async () => {
    const simulator = await start()
    expect((await ask(simulator, '/_control/requests')).status).to.equal(404)
  })

  it('has switches by HTTP when they are asked for', async () => {
    const simulator = await start({ control: true })
    const status = async () => (await ask(simulator, '/api/v1/forms')).status
    const turn = async (method: string, what: string, body?: object) => {
      const answer = await fetch(`${simulator.url}/_control/${what}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(answer.status).to.equal(200)
      return answer.json()
    }
    await turn('POST', 'faults', { kind: 'status', status: 502 })
    expect(await status()).to.equal(502)
    await turn('DELETE', 'faults')
    await turn('DELETE', 'keys', { key: simulator.apiKey })
    expect(await status()).to.equal(401)
    await turn('POST', 'keys', { key: simulator.apiKey })
    await turn('POST', 'records', { uuid: simulator.cards[0]!.uuid, count: 5 })
    expect(simulator.cards[0]!.recordCount).to.equal(125)
    expect(await turn('GET', 'requests')).to.have.length(2)
  })

  it('closes at once, also with requests that hang', async () => {
    const simulator = await startFormulaires()
    simulator.faults.add({ kind: 'hang' })
    const hanging = ask(simulator, '/api/v1/forms').catch(() => 'cut')
    while (simulator.requests().length === 0) await nextTurn()
    await simulator.close()
    expect(await hanging).to.equal('cut')
  })
})

describe('formulaires command', () => {
  let child: ChildProcess | null = null
  afterEach(() => void child?.kill('SIGKILL'))

  const run = (...words: string[]) => {
    child = startCli(['formulaires', ...words], {})
    return child
  }

  it('prints its address and a key that works, and stops at SIGTERM', async () => {
    const process = run('--port', '0', '--forms', '2', '--responses', '3')
    let text = ''
    for await (const chunk of process.stdout!) {
      text += String(chunk)
      if (text.includes('API key: ')) break
    }
    const [, url, key] = /^Address: (\S+)\nAPI key: (\S+)\n$/.exec(text)!
    const answer = await fetch(`${url}/api/v1/forms`, { headers: { 'x-api-key': key! } })
    const { items, total } = (await answer.json()) as {
      items: { responseCount: number }[]
      total: number
    }
    expect(total).to.equal(2)
    expect(items[0]!.responseCount).to.equal(3)
    process.kill('SIGTERM')
    expect(await once(process, 'exit')).to.deep.equal([0, null])
  })

  it('says in a sentence where it cannot listen', async () => {
    const taken = await startFormulaires()
    try {
      const { hostname, port } = new URL(taken.url)
      for (const [host, sentence] of [
        [hostname, `The simulator cannot listen on ${hostname}:${port}; choose another --port`],
        [
          'no-such.invalid',
          `The simulator cannot listen on no-such.invalid:${port}: unknown --host`,
        ],
      ] as const) {
        const { code, stderr } = await runCli(['formulaires', '--host', host, '--port', port], {})
        expect(stderr).to.equal(`${sentence}\n`)
        expect(code).to.equal(2)
      }
    } finally {
      await taken.close()
    }
  })

  it('refuses an invalid port', async () => {
    const process = run('--port', '70000')
    expect((await once(process, 'exit'))[0]).to.equal(2)
  })
})
