import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { FaultKind } from '../../../src/simulator/faults.ts'
import type { TestResponse } from '../../support/client.ts'
import type { Section } from '../section.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { type Canary, startCanary } from '../tools/canary.ts'
import { startOwnTime } from '../tools/own-time.ts'
import { openWorld, type World } from '../world.ts'

/** Retries, time-outs and all. */
const ANSWER_WITHIN_MS = 25_000

interface RemoteFault {
  readonly fault: (canary: Canary) => FaultKind
  /** One of these answers; default 502. */
  readonly answers?: readonly number[]
  /** Takes all retries, each until its time is over. */
  readonly isSlow?: boolean
  /** Only pages of records can go wrong like this. */
  readonly onlyRecords?: boolean
}

const FAULTS: Readonly<Record<string, RemoteFault>> = {
  'an error 500': { fault: () => ({ kind: 'status', status: 500 }) },
  'a refusal 403': { fault: () => ({ kind: 'status', status: 403 }) },
  '429 for ever': {
    fault: () => ({ kind: 'status', status: 429, retryAfter: '1' }),
    answers: [503],
    isSlow: true,
  },
  'an answer that does not come': {
    fault: () => ({ kind: 'hang' }),
    answers: [504],
    isSlow: true,
  },
  'an answer byte by byte': {
    fault: () => ({ kind: 'trickle', everyMs: 200 }),
    answers: [502, 504],
    isSlow: true,
  },
  'a reset': { fault: () => ({ kind: 'reset' }) },
  'an answer that is no JSON': { fault: () => ({ kind: 'malformed' }) },
  'an answer cut off': { fault: () => ({ kind: 'truncated' }) },
  'an answer of another shape': { fault: () => ({ kind: 'wrong-shape' }) },
  'deep nesting': { fault: () => ({ kind: 'deep-nesting', depth: 100_000 }) },
  // Whichever limit is met first: of bytes, or of time.
  'a page of a gigabyte': {
    fault: () => ({ kind: 'huge-page', bytes: 1024 * MiB }),
    answers: [502, 504],
  },
  'a compression bomb': {
    fault: () => ({ kind: 'compression-bomb', bytes: 1024 * MiB }),
    answers: [502, 504],
  },
  'pages without end': { fault: () => ({ kind: 'endless-pages' }), onlyRecords: true },
  'a cursor twice': { fault: () => ({ kind: 'repeated-cursor' }), onlyRecords: true },
  'a wrong total': { fault: () => ({ kind: 'wrong-total', by: 3 }), onlyRecords: true },
  'a redirect elsewhere': {
    fault: ({ port }) => ({ kind: 'redirect', to: `http://127.0.0.1:${port}/` }),
  },
  'redirects in a circle': { fault: () => ({ kind: 'redirect-loop' }) },
}

type Call = (world: World, connectionUuid: string) => Promise<TestResponse>

const browse: Call = (world, uuid) =>
  world.client.as(world.people.admin).get(`/connections/${uuid}/browse`)

const load: Call = (world, connectionUuid) =>
  world.client.as(world.people.admin).post('/sources', {
    source: 'api',
    name: 'Remote',
    tableName: uniqueTable(),
    connectionUuid,
    apiResourceType: 'form',
    formUuid: world.forms.forms[0]!.uuid,
  })

export const formsFaults: Section = {
  name: 'forms',
  about: 'a forms application that misbehaves in every way, while one browses and loads',
  async run(trials) {
    await using world = await openWorld(trials, {
      env: { OUTBOUND_TIMEOUT: '1s' },
      // Enough for several pages.
      forms: { responsesPerForm: 2_500 },
    })
    await using canary = await startCanary()
    const calls = { browsing: browse, loading: load }
    for (const [does, call] of Object.entries(calls)) {
      for (const [name, remote] of Object.entries(FAULTS)) {
        if (does === 'browsing' && remote.onlyRecords) continue
        if (does === 'loading' && remote.isSlow && trials.extent === 'ci') continue
        await trials.repeat(`${name}, ${does}`, { ci: 1, short: 1, long: 10 }, () =>
          expectRemoteFailure(world, call, remote, canary),
        )
      }
      await trials.attempt(`a refused key, ${does}`, () => expectRefusedKey(world, call))
      await trials.repeat(
        `a late refusal of an old key, ${does}`,
        { ci: 2, short: 10, long: 50 },
        () => expectNewKeyToWin(world, call),
      )
    }
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function expectRemoteFailure(
  world: World,
  call: Call,
  { fault, answers = [502] }: RemoteFault,
  canary: Canary,
): Promise<string> {
  const uuid = await connect(world)
  world.forms.faults.add({ ...fault(canary), ...(call === load && { on: 'records' as const }) })
  const ownTime = await startOwnTime(world.server.pid)
  try {
    const answer = await world.answers.whileFailing(() => call(world, uuid))
    expect(answer.status, answer.text.slice(0, 300)).to.be.oneOf([...answers])
    if (answer.status === 503) expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
  } finally {
    world.forms.faults.clear()
  }
  const tookMs = await ownTime(world.server.pid)
  expect(tookMs, 'time to the answer').to.be.lessThan(world.within(ANSWER_WITHIN_MS))
  expect(await statusOf(world, uuid), 'status of the connection').to.equal('ACTIVE')
  expect(canary.visits, 'visits elsewhere').to.deep.equal([])
  const after = await call(world, uuid)
  expect(after.status, `when it is well again: ${after.text.slice(0, 300)}`).to.be.oneOf([200, 201])
  return `${Math.round(tookMs)} ms`
}

async function expectRefusedKey(world: World, call: Call): Promise<void> {
  const uuid = await connect(world, 'frm_revoked_key_of_the_trust_tool')
  const answer = await world.answers.whileFailing(() => call(world, uuid))
  expect(answer.status, answer.text.slice(0, 300)).to.equal(502)
  expect(answer.body.code).to.equal('ApiConnectionUnauthorizedException')
  expect(await statusOf(world, uuid)).to.equal('ERROR')
}

/** Calls with an old key are under way while a good one is put in: what they learn is stale. */
async function expectNewKeyToWin(world: World, call: Call): Promise<void> {
  const uuid = await connect(world, 'frm_another_revoked_key')
  await world.answers.whileFailing(async () => {
    const late = [1, 2, 3].map(() => call(world, uuid))
    const replaced = await world.client
      .as(world.people.admin)
      .patch(`/connections/${uuid}`, { apiKey: world.forms.apiKey })
    expect(replaced.status, replaced.text).to.equal(200)
    await Promise.all(late)
  })
  expect(await statusOf(world, uuid)).to.equal('ACTIVE')
}

async function connect({ build, people, forms }: World, apiKey = forms.apiKey): Promise<string> {
  const given = { enterprise: people.enterprise, baseUrl: forms.url, apiKey }
  return (await build.connection(given)).uuid
}

async function statusOf(world: World, uuid: string): Promise<string> {
  const answer = await world.client.as(world.people.admin).get(`/connections/${uuid}`)
  return answer.body.status as string
}
