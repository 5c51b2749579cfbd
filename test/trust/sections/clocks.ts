import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect } from 'chai'
import { SignJWT } from 'jose'

import type { TestClient } from '../../support/client.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import type { Section } from '../section.ts'
import { openWorld, type World } from '../world.ts'

const SHIFTED_CLOCK = pathToFileURL(resolve(import.meta.dirname, '../tools/shifted-clock.ts')).href
const DAY_MS = 24 * 60 * 60 * 1000
const SKEWS = { 'a day early': -DAY_MS, 'a day late': DAY_MS }
const ZONES = ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu']

/** Days near the edges of days, years, summer time and the epoch. */
const CONTENT = Buffer.from(
  [
    'id,day,moment,french,epoch',
    '1,2024-02-29,2024-02-29T23:59:59.999Z,31/12/2023,1970-01-01T01:00:00Z',
    '2,2024-04-07,2024-04-07 02:30:00,01/01/2024,1970-01-01T03:00:00Z',
    '3,2024-09-29,2024-09-29T02:30:00+13:00,29/09/2024,1970-01-01',
    '4,1999-12-31,1999-12-31T23:30:00-11:00,30/06/1999,2000-01-01T00:00:00Z',
  ].join('\n'),
)

export const clocks: Section = {
  name: 'clocks',
  about: 'processes in other time zones, and with a wrong clock: the same dates are stored',
  async run(trials) {
    await using world = await openWorld(trials, { env: { TZ: 'UTC' } })
    const token = await lastingToken(world)
    const expected = await storedBy(world, world.client, token)
    for (const zone of trials.extent === 'ci' ? ZONES.slice(0, 1) : ZONES) {
      await trials.attempt(`the process is in ${zone}`, async () => {
        const server = await world.start({ TZ: zone })
        expect(await storedBy(world, world.client, token)).to.deep.equal(expected)
        await world.end(server, 'killed')
      })
    }
    for (const [name, shiftMs] of Object.entries(SKEWS)) {
      await trials.attempt(`the clock is ${name}`, async () => {
        const server = await world.start({
          NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
          CLOCK_SHIFT_MS: String(shiftMs),
        })
        expect(await storedBy(world, world.client, token)).to.deep.equal(expected)
        await world.end(server, 'killed')
      })
    }
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

/** Valid whatever day it is. */
const lastingToken = ({ authSecret, people }: World) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(people.admin.uuid)
    .setExpirationTime('7d')
    .sign(Buffer.from(authSecret))

/** What a load stored, as the service shows it and as the database holds it. */
async function storedBy(world: World, client: TestClient, token: string): Promise<unknown> {
  const admin = client.withHeaders({ 'x-app-access-token': token })
  const tableName = uniqueTable()
  const asAdmin = { ...admin, as: () => admin }
  const created = await postSource(asAdmin, { tableName, content: CONTENT })
  expect(created.status, created.text).to.equal(201)
  const shown = await admin.get(`/sources/${created.body.uuid as string}/data`)
  expect(shown.status, shown.text).to.equal(200)
  const { rows } = await world.pool.query<{ held: string }>(
    `select held::text from enterprise_${world.people.enterprise.id}."${tableName}" as held
     order by _row`,
  )
  return { columns: shown.body.columns, items: shown.body.items, held: rows }
}
