import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { SeededRandom } from '../../support/seeded-random.ts'
import {
  collect,
  type Collected,
  type Held,
  PERIODS,
  type ShownSlot,
} from '../collecting/collected.ts'
import { nextFile, pickDeed, rollBack, sendInto, type SlotDeed } from '../collecting/slot-deeds.ts'
import { onBothStores, type Section } from '../section.ts'
import { busyBackends } from '../tools/possessions.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const SENDERS = 4
const AT_ONCE = 6
const FIRST_ROWS = 500
/** How often all of a table goes back to what it showed before. */
const ROLLBACKS = 0.2
/** Several at once take longer than one after the other, and some of them should be done. */
const MOST_OF_USUAL = 3
const QUIET_WITHIN_MS = 30_000

type AllHeld = ReadonlyMap<string, ShownSlot>
/** What is done, and to which slots. */
type Deeds = readonly { readonly deed: SlotDeed; readonly slots: readonly string[] }[]

export const deliveries: Section = {
  name: 'deliveries',
  about: 'kill -9 while slots are filled, approved, returned, emptied and rolled back',
  run: onBothStores(async (store, trials) => {
    await using world = await openWorld(trials, { store })
    const asked = { senders: SENDERS, periods: PERIODS, approvals: [false, true] }
    const collected = await collect(world, asked)
    let held: AllHeld = await collected.held()
    let usualMs = 0
    const works = await trials.attempt(`filling slots, undisturbed, ${store}`, async (random) => {
      const begun = performance.now()
      for (const place of collected.places.slice(AT_ONCE)) {
        const sending = nextFile(random, FIRST_ROWS)
        const answer = await sendInto(collected, place, held.get(place.uuid)!, sending).run()
        expect(answer.status, answer.text).to.equal(200)
      }
      usualMs = (MOST_OF_USUAL * (performance.now() - begun) * AT_ONCE) / (held.size - AT_ONCE)
      held = await collected.held()
      await collected.expectTable(held)
      return `killed within ${Math.round(usualMs)} ms`
    })
    if (!works) return
    const once = new Map(collected.places.map(({ uuid }) => [uuid, new Set<string>()]))
    const did = { done: 0, refused: 0, unanswered: 0 }
    await trials.repeat(
      `kill -9 among deliveries, ${store}`,
      { ci: 1, short: 20, long: 100 },
      async (random) => {
        for (const [slot, { accepted }] of held)
          if (accepted !== null) once.get(slot)!.add(accepted)
        const deeds = deedsFor(collected, { held, once }, random)
        const { mayHold, ended } = await interrupt(world, deeds, held, random.fraction() * usualMs)
        for (const end of ended) did[end]++
        await world.start()
        await untilQuiet(world)
        held = await heldAfterKill(world, collected)
        for (const [slot, now] of held) expectOneOf(now, mayHold.get(slot)!, deeds)
        await collected.expectTable(held)
        await collected.expectUnharmed()
        await collected.forgetTries()
        return `${did.done} done, ${did.refused} refused, ${did.unanswered} unanswered`
      },
    )
    await trials.attempt(
      `receipts hold, ${store}`,
      async () => `${await collected.expectReceipts()} receipts`,
    )
    await trials.attempt(`nothing left behind, ${store}`, () => world.assertInvariants())
  }),
}

interface Known {
  readonly held: AllHeld
  /** What each slot held at some time. */
  readonly once: ReadonlyMap<string, ReadonlySet<string>>
}

function deedsFor(collected: Collected, { held, once }: Known, random: SeededRandom): Deeds {
  if (random.chance(ROLLBACKS)) {
    return [{ deed: rollBack(collected, held, once), slots: [...held.keys()] }]
  }
  const left = [...collected.places]
  return Array.from({ length: AT_ONCE }, () => {
    const [place] = left.splice(random.integer(0, left.length - 1), 1)
    const { uuid } = place!
    return { deed: pickDeed(collected, place!, held.get(uuid)!, random), slots: [uuid] }
  })
}

/** Does all of it at once, and kills the service meanwhile. */
async function interrupt(world: World, deeds: Deeds, held: AllHeld, afterMs: number) {
  const mayHold = new Map<string, readonly Held[]>([...held].map(([slot, now]) => [slot, [now]]))
  const ended = await world.answers.whileFailing(async () => {
    const ending = deeds.map(async ({ deed, slots }) => {
      const end = await endOf(deed)
      if (end === 'refused') return end
      for (const slot of slots) {
        const after = deed.after(slot)
        const undone = [held.get(slot)!, ...(deed.between ? [deed.between] : [])]
        mayHold.set(slot, end === 'done' ? after : [...undone, ...after])
      }
      return end
    })
    await sleep(afterMs)
    await world.server.kill()
    return Promise.all(ending)
  })
  return { mayHold, ended }
}

const endOf = (deed: SlotDeed) =>
  deed.run().then(
    ({ status }) => (status < 400 ? ('done' as const) : ('refused' as const)),
    (error: unknown) => {
      // What `fetch` throws where the connection breaks.
      if (error instanceof TypeError) return 'unanswered' as const
      throw error
    },
  )

function expectOneOf(now: Held, may: readonly Held[], deeds: Deeds): void {
  const said = ({ accepted, waiting }: Held) => `accepted ${accepted}, waiting ${waiting}`
  const did = deeds.map(({ deed }) => deed.name).join(', ')
  expect(said(now), `after ${did}`).to.be.oneOf(may.map(said))
}

/**
 * As a client asks: a busy machine may take longer to open a connection than a request waits for one, which is
 * 503 with `Retry-After`. It may not stay so.
 */
async function heldAfterKill(world: World, { held, places, as }: Collected): Promise<AllHeld> {
  const collection = places[0]!.collection
  await until('slots are shown again', world.within(QUIET_WITHIN_MS), () =>
    world.answers.whileFailing(async () => {
      const { status, headers, text } = await as().get(`/collections/${collection}/slots`)
      if (status === 200) return true
      expect(status, text).to.equal(503)
      expect(headers.get('retry-after'), text).to.match(/^\d+$/)
      return false
    }),
  )
  return held()
}

/** What the dead process had asked of the database may be done still. */
const untilQuiet = (world: World) =>
  until('nobody holds the table', world.within(QUIET_WITHIN_MS), async () => {
    const { rowCount } = await world.pool.query(
      `select from generated_tables where lease_process is not null
       union all select from loads where state = 'running'`,
    )
    return rowCount === 0 && (await busyBackends(world)) === 0
  })
