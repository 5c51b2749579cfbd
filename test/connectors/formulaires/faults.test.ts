import { expect } from 'chai'

import type { Fault } from '../../../src/simulator/faults.ts'
import { startFormulaires } from '../../../src/simulator/formulaires.ts'
import { plainPages } from '../../support/records.ts'
import { createStage, failureOf, loadForm, never, recordRequests, type Stage } from './support.ts'
import { holdClock } from '../../support/held-clock.ts'
import { PATIENCE_MS, until } from '../../support/patience.ts'

const HOUR_MS = 3_600_000

const failed = (reason: string) => ({ kind: 'failed', reason })

interface Case {
  readonly name: string
  readonly fault: Fault
  readonly problem: object
  readonly code?: string
  /** How often the failing page is asked for in a load. */
  readonly attempts: number
}

const CASES: readonly Case[] = [
  {
    name: '401',
    fault: { kind: 'status', status: 401 },
    problem: { kind: 'unauthorized' },
    code: 'ApiConnectionUnauthorizedException',
    attempts: 1,
  },
  { name: '403', fault: { kind: 'status', status: 403 }, problem: failed('refused'), attempts: 1 },
  { name: '418', fault: { kind: 'status', status: 418 }, problem: failed('refused'), attempts: 1 },
  {
    name: '404',
    fault: { kind: 'status', status: 404 },
    problem: { kind: 'not-found', resource: 'form' },
    code: 'FormNotFoundException',
    attempts: 1,
  },
  {
    name: '429 without end',
    fault: { kind: 'status', status: 429, retryAfter: '0' },
    problem: { kind: 'busy', retryAfterSeconds: 1 },
    code: 'RemoteApplicationBusyException',
    attempts: 5,
  },
  {
    name: '429 for longer than anyone waits',
    fault: { kind: 'status', status: 429, retryAfter: '3600' },
    problem: { kind: 'busy', retryAfterSeconds: 3600 },
    code: 'RemoteApplicationBusyException',
    attempts: 1,
  },
  {
    name: '429 without Retry-After',
    fault: { kind: 'status', status: 429 },
    problem: { kind: 'busy', retryAfterSeconds: 30 },
    code: 'RemoteApplicationBusyException',
    attempts: 5,
  },
  {
    name: '500 without end',
    fault: { kind: 'status', status: 500 },
    problem: failed('server-error'),
    attempts: 5,
  },
  {
    name: 'a connection reset',
    fault: { kind: 'reset' },
    problem: failed('unreachable'),
    attempts: 5,
  },
  {
    name: 'a truncated body',
    fault: { kind: 'truncated' },
    problem: failed('unreachable'),
    attempts: 5,
  },
  {
    name: 'malformed JSON',
    fault: { kind: 'malformed' },
    problem: failed('malformed'),
    attempts: 1,
  },
  {
    name: 'JSON of another shape',
    fault: { kind: 'wrong-shape' },
    problem: failed('malformed'),
    attempts: 1,
  },
  {
    name: 'another content type',
    fault: { kind: 'wrong-content-type' },
    problem: failed('malformed'),
    attempts: 1,
  },
  {
    name: 'deep nesting',
    fault: { kind: 'deep-nesting', depth: 100_000 },
    problem: failed('malformed'),
    attempts: 1,
  },
  {
    name: 'a page of 10 GB',
    fault: { kind: 'huge-page', bytes: 10 * 1024 ** 3 },
    problem: failed('too-large'),
    attempts: 1,
  },
  {
    name: 'a compression bomb',
    fault: { kind: 'compression-bomb', bytes: 10 * 1024 ** 3 },
    problem: failed('too-large'),
    attempts: 1,
  },
  {
    name: 'a redirect in circles',
    fault: { kind: 'redirect-loop' },
    problem: failed('redirect-refused'),
    attempts: 6,
  },
]

describe('a forms application that fails in the middle of a load', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage({ http: { maxResponseBytes: 4 * 1024 * 1024 } })
  })
  afterEach(() => stage.close())

  for (const { name, fault, problem, code = 'RemoteApplicationException', attempts } of CASES) {
    it(`ends the load for ${name}, after ${attempts} requests`, async () => {
      stage.simulator.faults.add({ ...fault, on: 'records', after: 2 })
      const failure = await failureOf(stage, loadForm(stage))
      expect(failure.problem).to.deep.equal(problem)
      expect(failure.code).to.equal(code)
      expect(recordRequests(stage)).to.equal(2 + attempts)
    })
  }

  const SLOW: readonly [name: string, fault: Fault][] = [
    ['no answer', { kind: 'hang' }],
    ['an answer in drops', { kind: 'trickle', everyMs: 20 }],
  ]
  for (const [name, fault] of SLOW) {
    it(`ends the load for ${name}, after as many requests as it tries`, async () => {
      const clock = holdClock()
      await stage.close()
      stage = await createStage({ http: { clock }, connector: { loading: { attempts: 2 } } })
      stage.simulator.faults.add({ ...fault, on: 'records', after: 2 })
      const failing = failureOf(stage, loadForm(stage))
      for (const requests of [3, 4]) {
        await until('it hangs', () => recordRequests(stage) === requests)
        clock.advance(PATIENCE_MS)
      }
      const failure = await failing
      expect(failure.problem).to.deep.equal({ kind: 'too-slow' })
      expect(failure.code).to.equal('RemoteApplicationTimeoutException')
      expect(recordRequests(stage)).to.equal(4)
    })
  }

  it('never takes the key to where a redirect leads', async () => {
    const other = await startFormulaires()
    try {
      stage.simulator.faults.add({ kind: 'redirect', to: `${other.url}/api/v1/forms` })
      const failure = await failureOf(stage, loadForm(stage))
      expect(failure.problem).to.deep.equal(failed('redirect-refused'))
      expect(other.requests()).to.deep.equal([])
    } finally {
      await other.close()
    }
  })

  it('gets over failures of every kind that pass', async () => {
    const passing: Fault[] = [
      { kind: 'status', status: 500, times: 2 },
      { kind: 'reset', times: 1 },
      { kind: 'status', status: 429, retryAfter: '0', times: 2 },
      { kind: 'truncated', times: 1 },
      { kind: 'status', status: 503, times: 1 },
    ]
    for (const [index, fault] of passing.entries()) {
      stage.simulator.faults.add({ ...fault, on: 'records', after: index * 2 })
    }
    expect(await loadForm(stage)).to.have.length(95)
    expect(recordRequests(stage)).to.equal(10 + 7)
  })

  it('ends with the 401 of a key that is revoked in the middle', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    const work = (async () => {
      for await (const { records } of plainPages(source, never())) {
        if (records.length > 0) stage.simulator.keys.revoke(stage.access.apiKey)
      }
    })()
    const failure = await failureOf(stage, work)
    expect(failure.problem).to.deep.equal({ kind: 'unauthorized' })
    expect(failure.message).to.equal('The API key is invalid or was revoked.')
  })
})

describe('pages that contradict each other', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage({ connector: { limits: { maxPages: 40 } } })
  })
  afterEach(() => stage.close())

  const contradictions: [string, Fault, string, number][] = [
    ['a cursor that comes twice', { kind: 'repeated-cursor' }, 'inconsistent', 2],
    ['fewer records than the total', { kind: 'wrong-total', by: 1 }, 'inconsistent', 10],
    ['more records than the total', { kind: 'wrong-total', by: -1 }, 'inconsistent', 10],
    [
      'far more than the total, before its end',
      { kind: 'wrong-total', by: -90 },
      'inconsistent',
      1,
    ],
    ['pages without an end', { kind: 'endless-pages' }, 'inconsistent', 10],
    ['empty pages without an end', { kind: 'endless-pages', empty: true }, 'inconsistent', 21],
    ['a total that grows without an end', { kind: 'endless-pages', honest: true }, 'too-large', 41],
  ]
  for (const [name, fault, reason, pages] of contradictions) {
    it(`end the load: ${name}`, async () => {
      stage.simulator.faults.add({ ...fault, on: 'records' })
      const failure = await failureOf(stage, loadForm(stage))
      expect(failure.problem).to.deep.equal(failed(reason))
      expect(failure.code).to.equal('RemoteApplicationException')
      expect(recordRequests(stage)).to.be.within(pages, pages + 1)
    })
  }
})

describe('a forms application that fails while someone browses', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })
  afterEach(() => stage.close())

  const browse = () => stage.form.list(stage.access, { page: 1, limit: 20 }, never())

  const answers: [string, Fault, object, number][] = [
    ['401', { kind: 'status', status: 401 }, { kind: 'unauthorized' }, 1],
    ['403', { kind: 'status', status: 403 }, failed('refused'), 1],
    ['404 on a listing', { kind: 'status', status: 404 }, failed('refused'), 1],
    ['502', { kind: 'status', status: 502 }, failed('server-error'), 3],
    ['JSON of another shape', { kind: 'wrong-shape' }, failed('malformed'), 1],
  ]
  for (const [name, fault, problem, requests] of answers) {
    it(`answers ${name} after ${requests} requests`, async () => {
      stage.simulator.faults.add(fault)
      expect((await failureOf(stage, browse())).problem).to.deep.equal(problem)
      expect(stage.simulator.requests()).to.have.length(requests)
    })
  }

  it('does not wait a second time for an answer that is too slow', async () => {
    await stage.close()
    const clock = holdClock()
    stage = await createStage({ http: { clock } })
    stage.simulator.faults.add({ kind: 'hang' })
    const failing = failureOf(stage, browse())
    await until('it hangs', () => stage.simulator.requests().length === 1)
    clock.advance(PATIENCE_MS)
    expect((await failing).code).to.equal('RemoteApplicationTimeoutException')
    expect(stage.simulator.requests()).to.have.length(1)
  })

  for (const [name, retryAfter] of [
    ['seconds', () => '3600'],
    ['a date', () => new Date(Date.now() + HOUR_MS).toUTCString()],
  ] as const) {
    it(`waits as long as Retry-After asks in ${name}`, async () => {
      const clock = holdClock()
      await stage.close()
      stage = await createStage({ connector: { clock, asking: { maxRetryAfterMs: 2 * HOUR_MS } } })
      stage.simulator.faults.add({
        kind: 'status',
        status: 429,
        retryAfter: retryAfter(),
        times: 1,
      })
      const browsing = browse()
      await clock.waiting(1)
      // What passed since the header was made is not waited for.
      expect(clock.waits[0]).to.be.within(HOUR_MS - PATIENCE_MS, HOUR_MS + 1000)
      clock.advance(2 * HOUR_MS)
      await browsing
      expect(stage.simulator.requests()).to.have.length(2)
    })
  }

  it('says that an address is refused, without naming it', async () => {
    const access = { ...stage.access, baseUrl: 'http://127.0.0.1:9' }
    const work = stage.form.list(access, { page: 1, limit: 1 }, never())
    const failure = await failureOf(stage, work)
    expect(failure.problem).to.deep.equal(failed('address-refused'))
    expect(failure.message).to.not.include('127.0.0.1')
  })
})
