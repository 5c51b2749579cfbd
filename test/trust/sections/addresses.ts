import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect } from 'chai'

import type { Section, Trials } from '../section.ts'
import { type Canary, startCanary } from '../tools/canary.ts'
import { openWorld, type World } from '../world.ts'

const TWO_FACED_NAMES = pathToFileURL(
  resolve(import.meta.dirname, '../tools/two-faced-names.ts'),
).href
/** Allowed by a setting, it stands for a public address: nothing leaves this machine. */
const ALLOWED = '127.0.0.2'
const FORBIDDEN = '127.0.0.1'

export const addresses: Section = {
  name: 'addresses',
  about: 'inner addresses in every spelling, and names that lead elsewhere the second time',
  async run(trials) {
    await using world = await openWorld(trials)
    await using canary = await startCanary()
    for (const host of innerHosts(canary.port)) {
      await trials.attempt('inner addresses are not reached', () =>
        expectUnreachable(world, canary, host),
      )
    }
    await tryTwoFacedNames(trials, world)
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function tryTwoFacedNames(trials: Trials, world: World): Promise<void> {
  // Others of this machine take ports of the forbidden address, and none of the allowed one.
  await using canary = await startCanary({ host: FORBIDDEN })
  await using allowed = await startCanary({ host: ALLOWED, port: canary.port })
  await world.start({
    NODE_OPTIONS: `--import=${TWO_FACED_NAMES}`,
    OUTBOUND_ALLOW: ALLOWED,
  })
  const spell = (...answers: readonly (readonly string[])[]) =>
    answers.map((all) => all.join('and').replaceAll('.', '-')).join('.')
  const names = {
    'a name that leads inside the second time': spell([ALLOWED], [FORBIDDEN]),
    'a name that leads inside, among other places': spell([ALLOWED, FORBIDDEN]),
    'a name that leads inside first': spell([FORBIDDEN], [ALLOWED]),
  }
  for (const [what, name] of Object.entries(names)) {
    await trials.repeat(what, { ci: 2, short: 5, long: 100 }, async (random) => {
      const host = `${name}.n${random.seed}.two-faced.test`
      const before = allowed.visits.length
      const baseUrl = `http://${host}:${canary.port}`
      for (let call = 0; call < 3; call++) await expectUnreachable(world, canary, baseUrl)
      // That the first answer was dialled shows that the second one was given.
      const dialled = allowed.visits.length > before
      if (what.includes('second')) expect(dialled, 'the allowed address was dialled').to.equal(true)
    })
  }
}

/** This machine and its neighbourhood, in every spelling that some resolver takes. */
const innerHosts = (port: number) =>
  [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    'localhost',
    'LOCALHOST.',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '127.0.0.1.nip.io',
    '①②⑦.0.0.1',
  ].map((host) => `http://${host}:${port}`)

async function expectUnreachable(world: World, canary: Canary, baseUrl: string): Promise<void> {
  const client = world.client.as(world.people.admin)
  const created = await client.post('/connections', {
    name: 'Inner',
    baseUrl,
    apiKey: 'frm_inner_address_key',
  })
  expect(created.status, baseUrl).to.be.oneOf([201, 400])
  if (created.status === 201) {
    const uuid = created.body.uuid as string
    const answer = await world.answers.whileFailing(() => client.get(`/connections/${uuid}/browse`))
    expect(answer.status, `${baseUrl}: ${answer.text}`).to.be.oneOf([400, 502, 504])
    expect(answer.text, 'shows what it resolved to').not.to.match(/127\.0\.0\.1(?!\.nip)/)
  }
  expect(canary.visits, baseUrl).to.deep.equal([])
}
