import { expect } from 'chai'

import { PATIENCE_MS } from '../../support/patience.ts'
import { rootOf } from '../authorisation/things.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import { ANSWERS_OF_SIZE } from '../others/answers-of-size.ts'
import { type Assailant, createAssailant } from '../others/assailant.ts'
import type { Assault, Attack, Scene } from '../others/assault.ts'
import { HELD_PLACES } from '../others/held-places.ts'
import { ODD_REQUESTS } from '../others/odd-requests.ts'
import { SCALES } from '../others/scale.ts'
import { deepRows, loadTable, wideRows } from '../others/tables.ts'
import { WORK_OF_OTHERS } from '../others/work-of-others.ts'
import { burden } from '../others/burden.ts'
import { openVictim, type Victim } from '../others/open-victim.ts'
import { describeExperience, type Experience, QUESTIONS_BESIDES } from '../others/victim.ts'
import type { Section, Trials } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { inMegabytes } from '../tools/gauges.ts'
import { whileWatchingMemory } from '../tools/memory-peak.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const HEAP = '--max-old-space-size=1024'
const ASSAULTS: readonly Assault[] = [
  ...ANSWERS_OF_SIZE,
  ...HELD_PLACES,
  ...WORK_OF_OTHERS,
  ...ODD_REQUESTS,
]

const QUESTION_NAMES = Object.keys(QUESTIONS_BESIDES) as (keyof typeof QUESTIONS_BESIDES)[]

export const others: Section = {
  name: 'others',
  about:
    'what one account does, and how long small questions of another enterprise take meanwhile (p50/p99)',
  async run(trials) {
    const env = { NODE_OPTIONS: HEAP, MAX_UPLOAD_SIZE: '10GB', LOG_LEVEL: 'warn' }
    await using world = await openWorld(trials, { env })
    await settleVictim(world)
    using owner = await assailantOf(world)
    const scene = createScene(trials, world, owner)
    await using victim = openVictim({
      address: world.server.address,
      authSecret: world.authSecret,
      uuid: world.people.otherAdmin.uuid,
    })
    // What a first answer costs whoever checks it is not measured.
    await victim.ask({ besides: QUESTION_NAMES, length: { rounds: 1 } })
    for (const assault of ASSAULTS.filter(({ name }) => name.includes(trials.only))) {
      if (trials.signal.aborted) return
      await trials.attempt(assault.name, () => endure(trials, scene, victim, assault))
      requireAlive(world)
    }
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

/** So that there is something to list and to export. */
async function settleVictim(world: World): Promise<void> {
  const { client, people } = world
  await rootOf(world, people.otherEnterprise)
  const victim = client.as(people.otherAdmin)
  const given = { tableName: uniqueTable(), content: csvOf('mine', 100) }
  const made = await postSource(victim, given)
  expect(made.status, made.text).to.equal(201)
  expect((await QUESTIONS_BESIDES.sendDocument(victim)).status).to.equal(201)
}

/** What attacks need; tables that several of them read are made by the first. */
function createScene(trials: Trials, world: World, owner: Assailant): Scene {
  const scale = SCALES[trials.extent]
  const once = (content: () => Iterable<Buffer>) => {
    let made: Promise<string> | null = null
    return () => (made ??= loadTable(owner, content()))
  }
  return {
    world,
    scale,
    owner,
    wide: once(() => wideRows(scale.wideRows)),
    deep: once(() => deepRows(scale.deepRows)),
  }
}

const assailantOf = async ({ client, people, server }: World): Promise<Assailant> =>
  createAssailant(server.address, await client.as(people.admin).token())

/**
 * A while alone, a while beside the attack, and a while beside no more than what the attack costs
 * whoever sends it, since that is this machine, too.
 */
async function endure(
  trials: Trials,
  scene: Scene,
  victim: Victim,
  assault: Assault,
): Promise<string> {
  const { world, scale } = scene
  const asking = { besides: assault.besides ?? [], length: scale.length }
  const attack = await assault.prepare(scene)
  // Beside all that `npm test` runs, no time says anything.
  const isTimed = trials.extent !== 'ci'
  const alone = isTimed ? await victim.ask(asking) : null
  using assailant = await assailantOf(world)
  const { result, mostBytes } = await whileWatchingMemory(world.server, () =>
    whileAttacked(world, attack, assailant, () => withCost(() => victim.ask(asking))),
  )
  const { experience: beside, processors } = result
  await attack.end?.()
  const burdened = isTimed ? await whileBurdened(processors, () => victim.ask(asking)) : null
  const told = [
    ...(alone ? [`alone ${describeExperience(alone)}`] : []),
    ...(burdened
      ? [`beside its sender's ${processors.toFixed(2)} cores alone ${describeExperience(burdened)}`]
      : []),
    `beside it ${describeExperience(beside)}`,
    `at most ${inMegabytes(mostBytes)}`,
    `answers ${describeAnswers(assailant)}`,
  ].join('; ')
  requireAlive(world)
  const faults = [...beside.errors, ...assailant.faults]
  expect(faults.slice(0, 3).join('\n'), told).to.equal('')
  expect([...assailant.answers.keys()], told).to.satisfy((answered: number[]) =>
    answered.every((status) => attack.answers.includes(status)),
  )
  if (burdened && trials.extent === 'long') expectLittleHarm(burdened, beside, told)
  return told
}

/** How many processors this process used meanwhile: the attack, but not whom it is to harm. */
async function withCost(
  ask: () => Promise<Experience>,
): Promise<{ experience: Experience; processors: number }> {
  const used = process.cpuUsage()
  const begun = performance.now()
  const experience = await ask()
  const { user, system } = process.cpuUsage(used)
  return { experience, processors: (user + system) / 1000 / (performance.now() - begun) }
}

async function whileBurdened<T>(processors: number, work: () => Promise<T>): Promise<T> {
  await using _burden = burden(processors)
  return work()
}

async function whileAttacked<T>(
  world: World,
  attack: Attack,
  assailant: Assailant,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const attacking = attack.run(assailant, over.signal)
  try {
    const result = await work()
    const { awaited } = attack
    if (awaited !== undefined) {
      await until(`the account is answered ${awaited}`, PATIENCE_MS, async () => {
        requireAlive(world)
        return assailant.answers.has(awaited)
      })
    }
    return result
  } finally {
    over.abort()
    await attacking
  }
}

function requireAlive({ server }: World): void {
  if (server.isRunning()) return
  throw new Error(`The service is gone:\n${server.output.slice(-20).join('\n')}`)
}

const TIMES_WITHOUT = 2
const MORE_MS = 250

function expectLittleHarm(without: Experience, beside: Experience, told: string): void {
  const most = Math.max(without.small.p99Ms * TIMES_WITHOUT, without.small.p99Ms + MORE_MS)
  expect(beside.small.p99Ms, told).to.be.at.most(most)
}

const describeAnswers = ({ answers }: Assailant): string =>
  [...answers]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ') || 'none'
