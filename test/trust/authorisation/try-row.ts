import { randomUUID } from 'node:crypto'

import { expect } from 'chai'
import type { Pool } from 'pg'

import { readConsole } from '../../../src/http/routes/console/console-files.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import type { TestResponse } from '../../support/client.ts'
import type { World } from '../world.ts'
import { type Caller, MAY_CALL } from './callers.ts'
import { databaseDigest, expectSameDatabase } from './database-digest.ts'
import type { Row, Scope } from './matrix.ts'
import {
  showFile,
  rootOf,
  sendCorrections,
  type Thing,
  type ThingMakers,
  uploadDocument,
  uploadSource,
} from './things.ts'

/** What stands in the addresses of the console's files. */
const { version: consoleVersion } = await readConsole()

/** Whose thing a call names. */
type Side = 'own' | 'foreign' | 'absent'

/** An operation, and what stands about it in its row. */
export interface Tried {
  readonly operation: string
  readonly row: Row
  readonly world: World
  readonly make: ThingMakers
}

/** Calls of one caller that are all to be refused alike. */
interface Refused {
  readonly caller: Caller
  readonly status: number
  readonly things: readonly Thing[]
  readonly request: (thing: Thing) => Promise<TestResponse>
}

/** What is to be refused of an operation, ready to be called. */
interface Refusals {
  readonly operation: string
  readonly calls: readonly Refused[]
}

/**
 * What a row promises, tried by every caller on an own, a foreign and an absent thing. What it refuses
 * is left to `expectRefusals`.
 */
export async function tryRow(tried: Tried, callers: readonly Caller[]): Promise<Refusals> {
  const { operation, row } = tried
  const { admin } = tried.world.people
  // Refusals use nothing up: the same three serve all who are turned away.
  const three = [
    await thingFor(tried, admin, 'own'),
    await thingFor(tried, admin, 'foreign'),
    await thingFor(tried, admin, 'absent'),
  ]
  const calls: Refused[] = []
  for (const caller of callers) {
    const { actor } = caller
    const isWelcome = actor ? MAY_CALL[row.audience](actor) : row.audience === 'everybody'
    if (!isWelcome) {
      const things = row.thing ? three : three.slice(0, 1)
      const status = actor && row.audience !== 'holder' ? 403 : 401
      calls.push({ caller, status, things, request: await prepare(tried, caller) })
    } else if (!row.thing) {
      await expectAllowed(tried, caller)
    } else if (reachesAll(actor!, row.thing.scope)) {
      await expectOwn(tried, caller)
      await expectForeign(tried, caller)
    } else {
      await expectOwn(tried, caller)
      const things = [
        await thingFor(tried, actor!, 'foreign'),
        await thingFor(tried, actor!, 'absent'),
      ]
      calls.push({ caller, status: 404, things, request: await prepare(tried, caller) })
    }
  }
  return { operation, calls }
}

/** The same refusal whatever is named, and nothing changed by any of them. */
export async function expectRefusals(pool: Pool, refusals: readonly Refusals[]): Promise<void> {
  const before = await databaseDigest(pool)
  for (const { operation, calls } of refusals) {
    for (const { caller, status, things, request } of calls) {
      const told = `${operation} by ${caller.name}`
      const answers = await inTurn(things, request)
      expect(
        answers.map((answer) => answer.status),
        told,
      ).to.deep.equal(things.map(() => status))
      expectSameBody(told, answers)
    }
  }
  expectSameDatabase('changed by what was refused', before, await databaseDigest(pool))
}

async function expectOwn(tried: Tried, caller: Caller): Promise<void> {
  const { operation, row } = tried
  const request = await prepare(tried, caller)
  const own = await request(await thingFor(tried, caller.actor!, 'own'))
  const told = `${operation} by ${caller.name}, own: ${own.text.slice(0, 300)}`
  expect(own.status, told).to.equal(row.allowed)
}

/** By somebody who reaches all things. */
async function expectForeign(tried: Tried, caller: Caller): Promise<void> {
  const { operation, row } = tried
  const told = `${operation} by ${caller.name}`
  const request = await prepare(tried, caller)
  const foreign = await request(await thingFor(tried, caller.actor!, 'foreign'))
  const allowed = row.allowedElsewhere ?? row.allowed
  expect(foreign.status, `${told}, of another enterprise`).to.equal(allowed)
  const absent = await request(await thingFor(tried, caller.actor!, 'absent'))
  expect(absent.status, `${told}, absent`).to.equal(404)
}

async function expectAllowed(tried: Tried, caller: Caller): Promise<void> {
  const { operation, row, world } = tried
  const told = `${operation} by ${caller.name}`
  const actor = caller.actor ?? world.people.admin
  const listed = row.lists && {
    own: await madeBy(tried, actor, row.lists.kind, 'own'),
    foreign: await madeBy(tried, actor, row.lists.kind, 'foreign'),
  }
  const request = await prepare(tried, caller)
  const answer = await request(await thingFor(tried, actor, 'absent'))
  const expected = actor.enterprise ? row.allowed : (row.withoutEnterprise ?? row.allowed)
  expect(answer.status, `${told}: ${answer.text.slice(0, 300)}`).to.equal(expected)
  if (!listed) return
  const shown = (answer.body.items as { uuid: string }[]).map(({ uuid }) => uuid)
  expect(shown, `${told} shows one's own`).to.include(listed.own.uuid)
  // A list of jobs is one's own for everybody; that of documents too.
  const showsAll = row.lists?.scope === 'enterprise' && actor.role === 'super-admin'
  expect(shown.includes(listed.foreign.uuid), `${told} shows what is foreign`).to.equal(showsAll)
}

const reachesAll = (actor: Actor, scope: Scope) => scope !== 'owner' && actor.role === 'super-admin'

export async function thingFor(tried: Tried, actor: Actor, side: Side): Promise<Thing> {
  const { row } = tried
  if (!row.thing || side === 'absent') return { uuid: randomUUID(), name: 'Absent' }
  return madeBy(tried, actor, row.thing.kind, side)
}

/** One's own lies in one's enterprise; a foreign one is another's, in another enterprise. */
function madeBy(
  { world, make }: Tried,
  actor: Actor,
  kind: NonNullable<Row['thing']>['kind'],
  side: 'own' | 'foreign',
): Promise<Thing> {
  const { enterprise, otherEnterprise, admin, otherAdmin } = world.people
  const home = actor.enterprise?.id === otherEnterprise.id ? otherEnterprise : enterprise
  const away = home === enterprise ? otherEnterprise : enterprise
  const other = home === enterprise ? otherAdmin : admin
  return side === 'own' ? make[kind](actor, home) : make[kind](other, away)
}

/** The call with everything filled in that its caller could use. */
export async function prepare(
  tried: Tried,
  caller: Caller,
): Promise<(thing: Thing) => Promise<TestResponse>> {
  const { operation, row, world } = tried
  const [method = '', template = ''] = operation.split(' ')
  const actor = caller.actor ?? world.people.admin
  const { enterprise, otherEnterprise } = world.people
  const home = actor.enterprise?.id === otherEnterprise.id ? otherEnterprise : enterprise
  if (row.form === 'document') return () => uploadDocument(forForm(world, caller), actor, 'm.csv')
  if (row.form === 'preview') {
    return ({ uuid }) => showFile(forForm(world, caller), actor, template.replace('{uuid}', uuid))
  }
  if (row.form === 'mended') {
    return ({ uuid }) => sendCorrections(forForm(world, caller), actor, uuid)
  }
  if (row.form === 'source') {
    const named = actor.role === 'super-admin' ? home.id : undefined
    return () => uploadSource(forForm(world, caller), actor, named)
  }
  const usable: Readonly<Record<string, string>> = {
    root: (await rootOf(world, home)).uuid,
    connection: (await madeBy(tried, actor, 'connection', 'own')).uuid,
    form: world.forms.forms[0]!.uuid,
  }
  const fill = (text: string) =>
    text.replace(/\{(root|connection|form)\}/g, (_, name: string) => usable[name]!)
  return (thing) => {
    const path = template
      .replace('{uuid}', thing.uuid)
      .replace('{runUuid}', thing.runUuid ?? randomUUID())
      .replace('{load}', thing.loadUuid ?? randomUUID())
      .replace('{slot}', thing.slotUuid ?? randomUUID())
      .replace('{sender}', thing.senderUuid ?? randomUUID())
      .replace('{version}/{file}', `${consoleVersion}/main.js`)
      .replace('{file}', 'swagger-ui.css')
    const needsEnterprise =
      actor.role === 'super-admin' && /^POST \/(connections|shapes|workflows)$/
    const body = row.body && {
      ...(JSON.parse(fill(JSON.stringify(row.body(thing)))) as object),
      ...(needsEnterprise && needsEnterprise.test(operation) && { enterpriseId: home.id }),
    }
    return caller.client.request(
      method,
      path + fill(row.query ?? ''),
      body && { content: JSON.stringify(body), type: 'application/json' },
    )
  }
}

/** Forms go out as the caller, not as the actor that they pass for. */
const forForm = (world: World, caller: Caller): World =>
  caller.actor ? world : { ...world, client: { ...caller.client, as: () => caller.client } }

async function inTurn(
  things: readonly Thing[],
  request: (thing: Thing) => Promise<TestResponse>,
): Promise<TestResponse[]> {
  const answers: TestResponse[] = []
  for (const thing of things) answers.push(await request(thing))
  return answers
}

function expectSameBody(told: string, answers: readonly TestResponse[]): void {
  const bodies = answers.map(({ body }) => ({ ...body, requestId: '' }) as object)
  for (const body of bodies) expect(body, `${told} tells them apart`).to.deep.equal(bodies[0])
}
