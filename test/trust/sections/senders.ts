import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { collect, type Collected, type Held, PERIODS } from '../collecting/collected.ts'
import { nextFile } from '../collecting/slot-deeds.ts'
import type { Section } from '../section.ts'
import { openWorld } from '../world.ts'

const AT_ONCE = 20
const MOST_ROWS = 2_000
const SECONDS = { ci: 3, short: 60, long: 600 }
/** How often a file is sent again as it is. */
const AGAIN = 0.1
const PAUSE_OF_READERS_MS = 200

export const senders: Section = {
  name: 'senders',
  about: `${AT_ONCE} senders to one table at once, for minutes (long: ten), while others read it`,
  async run(trials) {
    await using world = await openWorld(trials)
    const asked = { senders: AT_ONCE, periods: PERIODS, approvals: [false] }
    const collected = await collect(world, asked)
    const latest = new Map<string, Held>(
      collected.places.map(({ uuid }) => [uuid, { accepted: null, waiting: null }]),
    )
    await trials.attempt(`${AT_ONCE} senders at once`, async () => {
      const over = AbortSignal.timeout(trials.times(SECONDS) * 1000)
      const stop = AbortSignal.any([trials.signal, over])
      const seen = { taken: 0, later: 0, pages: 0 }
      const sending = Array.from({ length: AT_ONCE }, (_, nth) =>
        keepSending(collected, { key: `0-${nth}`, seed: trials.seed + nth, latest, seen, stop }),
      )
      await Promise.all([...sending, keepReading(collected, seen, stop)])
      world.answers.assertClean()
      return `${seen.taken} files taken, ${seen.later} asked to come back, ${seen.pages} pages read`
    })
    await trials.attempt('the table is the latest files', async () => {
      const held = await collected.held()
      for (const [slot, { accepted }] of latest) {
        expect(held.get(slot)!.accepted, 'the file of a slot').to.equal(accepted)
      }
      return `${await collected.expectTable(latest)} rows`
    })
    await trials.attempt(
      'receipts hold',
      async () => `${await collected.expectReceipts()} receipts`,
    )
    await trials.attempt('what others built is unharmed', () => collected.expectUnharmed())
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

interface Seen {
  taken: number
  later: number
  pages: number
}

interface Lane {
  readonly key: string
  readonly seed: number
  /** What was answered last, by slot. */
  readonly latest: Map<string, Held>
  readonly seen: Seen
  readonly stop: AbortSignal
}

async function keepSending(collected: Collected, lane: Lane): Promise<void> {
  const { key, seed, latest, seen, stop } = lane
  const random = seededRandom(seed)
  const own = collected.places.filter((place) => place.key === key)
  let again: (() => Promise<TestResponse>) | null = null
  while (!stop.aborted) {
    const place = random.pick(own)
    const sending = nextFile(random, MOST_ROWS)
    const send: () => Promise<TestResponse> = again ?? (() => collected.deliver(place, sending))
    const answer = await send()
    if (answer.status === 200) {
      seen.taken++
      if (again === null) latest.set(place.uuid, { accepted: sending.tag, waiting: null })
      again = again === null && random.chance(AGAIN) ? send : null
      await collected.forgetTries()
      continue
    }
    // More of them than an enterprise has places, or a long line at the table.
    expect(answer.status, answer.text).to.be.oneOf([409, 429])
    seen.later++
    const seconds = Number(answer.headers.get('retry-after') ?? 1)
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** Somebody looks at the table, at the board, and at what is asked. */
async function keepReading(collected: Collected, seen: Seen, stop: AbortSignal): Promise<void> {
  const { as, places, sourceUuid } = collected
  while (!stop.aborted) {
    const place = places[seen.pages % places.length]!
    const answers = [
      await as().get(`/sources/${sourceUuid}/data?limit=50&page=${1 + (seen.pages % 20)}`),
      await as().get(`/collections/${place.collection}/slots`),
      await collected.holder(place).get('/deliveries'),
    ]
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    seen.pages += answers.length
    await sleep(PAUSE_OF_READERS_MS)
  }
}
