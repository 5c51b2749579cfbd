import { randomUUID } from 'node:crypto'

import { seededRandom } from '../../support/seeded-random.ts'
import type { Attack } from '../hostile/attack.ts'
import { makeAttack } from '../hostile/make-attack.ts'
import { type Operation, readOperations } from '../hostile/operations.ts'
import { type Answer, openSender } from '../hostile/send.ts'
import type { Failure } from '../ledger.ts'
import type { Section, Trials } from '../section.ts'
import { messageOf } from '../section.ts'
import { openWorld, type World } from '../world.ts'
import { populate } from '../populate.ts'

const REQUESTS = { ci: 1_500, short: 6_000, long: 50_000 }
const AT_ONCE = 6
/** What Node itself answers before a request is one: too large, not HTTP, nothing it expects. */
const TRANSPORT_STATUSES = [400, 408, 413, 417, 431]
const SPOILT_CONNECTION = /"code":"(?:ApiConnectionUnauthorized|RemoteApplication)Exception"/
const NOWHERE = [200, 204, 404, 405, 501]

export const hostileRequests: Section = {
  name: 'hostile',
  about: 'requests that the OpenAPI document forbids: a documented refusal, never a 5xx',
  async run(trials) {
    await using world = await openWorld(trials, {
      env: { LOGIN_LIMIT: '100000', LOG_LEVEL: 'warn' },
    })
    const operations = await readOperations(world.server.address)
    const failures = await attackAll(world, operations, trials)
    trials.count('hostile requests', trials.times(REQUESTS), failures)
    await trials.attempt('alive, and nothing left behind', async () => {
      await world.assertInvariants()
      const live = await world.client.get('/health/live')
      if (live.status !== 200) throw new Error(`The service is not live: ${live.status}`)
    })
  },
}

async function attackAll(
  world: World,
  operations: readonly Operation[],
  trials: Trials,
): Promise<Failure[]> {
  const failures: Failure[] = []
  const { people } = world
  const [boss, admin, client] = await Promise.all(
    [people.superAdmin, people.admin, people.enterpriseClient].map((user) =>
      world.client.as(user).token(),
    ),
  )
  const things = await populate(world)
  const uuidFor = (path: string) => things.get(path.split('/')[1] ?? '') ?? randomUUID()
  using sender = openSender(world.server.address, AT_ONCE)
  let next = 0
  const total = trials.times(REQUESTS)

  const attacker = async () => {
    while (next < total && !trials.signal.aborted) {
      const seed = trials.seed + next++
      const random = seededRandom(seed)
      const operation = random.pick(operations)
      const attack = makeAttack(operation, random, (path, chance) =>
        chance.chance(0.6) ? uuidFor(path) : randomUUID(),
      )
      const token = random.pick([boss!, boss!, admin!, admin!, client!])
      const complaint = await judge(attack, operations, () =>
        sender.send(attack, operation.isPublic ? null : token),
      )
      if (complaint !== null) {
        failures.push({ seed, message: `${operation.name}, ${attack.what}: ${complaint}` })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, attacker))
  return failures
}

/** What is wrong with the answer, or null. */
async function judge(
  attack: Attack,
  operations: readonly Operation[],
  send: () => Promise<Answer>,
): Promise<string | null> {
  let answer: Answer
  try {
    answer = await send()
  } catch (error) {
    return messageOf(error)
  }
  const shown = `${answer.status} ${answer.text.slice(0, 300)}`
  if (answer.status >= 500 && answer.status !== 501 && !isSpoiltConnection(attack, answer))
    return shown
  if (!isDocumented(attack, operations, answer.status)) return `not documented: ${shown}`
  if (attack.mustBeRefused && answer.status < 400) return `was taken: ${shown}`
  const isRefusal = answer.status >= 400 && attack.method !== 'HEAD'
  if (isRefusal && !answer.type.startsWith('application/problem+json')) {
    // Node refuses by itself what is not even a request.
    if (!(TRANSPORT_STATUSES.includes(answer.status) && answer.text === '')) {
      return `is no problem document: ${shown}`
    }
  }
  return null
}

/** A request before this one may have put another key or address into the connection; HEAD does not say so. */
const isSpoiltConnection = ({ method }: Attack, { status, text }: Answer) =>
  status === 502 && (method === 'HEAD' || SPOILT_CONNECTION.test(text))

/** What stands in the address may lead to another operation than the one that was meant. */
function isDocumented(attack: Attack, operations: readonly Operation[], status: number): boolean {
  if (TRANSPORT_STATUSES.includes(status) || status === 304) return true
  const method = attack.method === 'HEAD' ? 'GET' : attack.method
  const addressed = operations.filter(({ path }) => leadsTo(attack.path, path))
  // An address that is fixed is none of those with a name in its place.
  const fixed = addressed.filter(({ path }) => !path.includes('{'))
  const reached = (fixed.length > 0 ? fixed : addressed).filter(
    (operation) => operation.method === method,
  )
  return reached.length > 0
    ? reached.some(({ statuses }) => statuses.has(status))
    : NOWHERE.includes(status)
}

function leadsTo(address: string, template: string): boolean {
  const pattern = template
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', '\\.')))
    .join('/')
  return new RegExp(`^${pattern}$`).test(address.split('?')[0]!)
}
