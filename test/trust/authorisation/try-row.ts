import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { readConsole } from '../../../src/http/routes/console/console-files.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import type { TestResponse } from '../../support/client.ts'
import type { World } from '../world.ts'
import { type Caller, MAY_CALL } from './callers.ts'
import { databaseDigest, expectSameDatabase } from './database-digest.ts'
import type { Row, Scope } from './matrix.ts'
import {
  previewSource,
  rootOf,
  sendCorrections,
  type Thing,
  thingMakers,
  uploadDocument,
  uploadSource,
} from './things.ts'

/** What stands in the addresses of the console's files. */
const { version: consoleVersion } = await readConsole()

/** Whose thing a call names. */
type Side = 'own' | 'foreign' | 'absent'

/** What a row promises, tried by every caller on an own, a foreign and an absent thing. */
export async function tryRow(
  operation: string,
  row: Row,
  world: World,
  callers: readonly Caller[],
): Promise<void> {
  const { admin } = world.people
  // Refusals use nothing up: the same three serve all who are refused.
  const refused = [
    await thingFor(row, world, admin, 'own'),
    await thingFor(row, world, admin, 'foreign'),
    await thingFor(row, world, admin, 'absent'),
  ]
  const welcome = callers.filter(({ actor }) =>
    actor ? MAY_CALL[row.audience](actor) : row.audience === 'everybody',
  )
  const turnedAway = callers.filter((caller) => !welcome.includes(caller))
  await expectRefusals(operation, row, world, turnedAway, row.thing ? refused : refused.slice(0, 1))
  for (const caller of welcome) {
    const told = `${operation} by ${caller.name}`
    if (row.thing) await expectScope(told, operation, row, world, caller)
    else await expectAllowed(told, operation, row, world, caller)
  }
}

/** The same refusal whatever is named, and nothing changed by any of them. */
async function expectRefusals(
  operation: string,
  row: Row,
  world: World,
  callers: readonly Caller[],
  things: readonly Thing[],
): Promise<void> {
  const requests = new Map<Caller, (thing: Thing) => Promise<TestResponse>>()
  for (const caller of callers) {
    requests.set(caller, await prepare(operation, row, world, caller))
  }
  const before = await databaseDigest(world.pool)
  for (const [caller, request] of requests) {
    const told = `${operation} by ${caller.name}`
    const answers = await inTurn(things, request)
    const status = caller.actor ? 403 : 401
    expect(
      answers.map((answer) => answer.status),
      told,
    ).to.deep.equal(things.map(() => status))
    expectSameBody(told, answers)
  }
  const names = callers.map(({ name }) => name).join(', ')
  expectSameDatabase(`${operation} by ${names}: changed`, before, await databaseDigest(world.pool))
}

async function expectScope(
  told: string,
  operation: string,
  row: Row,
  world: World,
  caller: Caller,
): Promise<void> {
  const actor = caller.actor ?? world.people.admin
  const request = await prepare(operation, row, world, caller)
  const own = await request(await thingFor(row, world, actor, 'own'))
  expect(own.status, `${told}, own: ${own.text.slice(0, 300)}`).to.equal(row.allowed)

  const foreignThing = await thingFor(row, world, actor, 'foreign')
  if (reachesAll(actor, row.thing!.scope)) {
    const foreign = await request(foreignThing)
    expect(foreign.status, `${told}, of another enterprise`).to.equal(
      row.allowedElsewhere ?? row.allowed,
    )
    const absent = await request(await thingFor(row, world, actor, 'absent'))
    expect(absent.status, `${told}, absent`).to.equal(404)
    return
  }
  const absentThing = await thingFor(row, world, actor, 'absent')
  const before = await databaseDigest(world.pool)
  const answers = await inTurn([foreignThing, absentThing], request)
  expect(
    answers.map(({ status }) => status),
    `${told}, foreign and absent`,
  ).to.deep.equal([404, 404])
  expectSameBody(told, answers)
  expectSameDatabase(`${told} changed the database`, before, await databaseDigest(world.pool))
}

async function expectAllowed(
  told: string,
  operation: string,
  row: Row,
  world: World,
  caller: Caller,
): Promise<void> {
  const actor = caller.actor ?? world.people.admin
  const listed = row.lists && {
    own: await madeBy(world, actor, row.lists.kind, 'own'),
    foreign: await madeBy(world, actor, row.lists.kind, 'foreign'),
  }
  const request = await prepare(operation, row, world, caller)
  const answer = await request(await thingFor(row, world, actor, 'absent'))
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

async function thingFor(row: Row, world: World, actor: Actor, side: Side): Promise<Thing> {
  if (!row.thing || side === 'absent') return { uuid: randomUUID(), name: 'Absent' }
  return madeBy(world, actor, row.thing.kind, side)
}

/** One's own lies in one's enterprise; a foreign one is another's, in another enterprise. */
function madeBy(
  world: World,
  actor: Actor,
  kind: NonNullable<Row['thing']>['kind'],
  side: 'own' | 'foreign',
): Promise<Thing> {
  const { enterprise, otherEnterprise, admin, otherAdmin } = world.people
  const home = actor.enterprise?.id === otherEnterprise.id ? otherEnterprise : enterprise
  const away = home === enterprise ? otherEnterprise : enterprise
  const other = home === enterprise ? otherAdmin : admin
  const make = thingMakers(world)[kind]
  return side === 'own' ? make(actor, home) : make(other, away)
}

/** The call with everything filled in that its caller could use. */
async function prepare(
  operation: string,
  row: Row,
  world: World,
  caller: Caller,
): Promise<(thing: Thing) => Promise<TestResponse>> {
  const [method = '', template = ''] = operation.split(' ')
  const actor = caller.actor ?? world.people.admin
  const { enterprise, otherEnterprise } = world.people
  const home = actor.enterprise?.id === otherEnterprise.id ? otherEnterprise : enterprise
  if (row.form === 'document') return () => uploadDocument(forForm(world, caller), actor, 'm.csv')
  if (row.form === 'preview') return () => previewSource(forForm(world, caller), actor)
  if (row.form === 'mended') {
    return ({ uuid }) => sendCorrections(forForm(world, caller), actor, uuid)
  }
  if (row.form === 'source') {
    const named = actor.role === 'super-admin' ? home.id : undefined
    return () => uploadSource(forForm(world, caller), actor, named)
  }
  const usable: Readonly<Record<string, string>> = {
    root: (await rootOf(world, home)).uuid,
    connection: (await madeBy(world, actor, 'connection', 'own')).uuid,
    form: world.forms.forms[0]!.uuid,
  }
  const fill = (text: string) =>
    text.replace(/\{(root|connection|form)\}/g, (_, name: string) => usable[name]!)
  return (thing) => {
    const path = template
      .replace('{uuid}', thing.uuid)
      .replace('{runUuid}', thing.runUuid ?? randomUUID())
      .replace('{load}', thing.loadUuid ?? randomUUID())
      .replace('{version}/{file}', `${consoleVersion}/main.js`)
      .replace('{file}', 'swagger-ui.css')
    const needsEnterprise = actor.role === 'super-admin' && /^POST \/(connections|workflows)$/
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
