import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { SeededRandom } from '../../support/seeded-random.ts'
import { formOf } from '../../support/uploads.ts'
import { alter } from '../links/alter.ts'
import { strangeName } from '../links/strange-name.ts'
import { onBothStores, type Section, type Trials } from '../section.ts'
import { openWorld, type World } from '../world.ts'

const LIFETIME_MS = 1_000
const REFUSALS = [400, 403, 404, 405]
const DISPOSITION =
  /^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''((?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*)$/

export const links: Section = {
  name: 'links',
  about: 'links for downloads: altered, exchanged, expired, and of files with any name',
  run: onBothStores(runWith),
}

async function runWith(store: 'local' | 's3', trials: Trials): Promise<void> {
  await using world = await openWorld(trials, { store })
  const genuine = await linkTo(world, 'genuine.csv')
  await trials.attempt(`a genuine link (${store})`, async () => {
    expect((await fetch(genuine.url)).status).to.equal(200)
  })
  await trials.repeat(
    `one character or parameter altered (${store})`,
    { ci: 60, short: 300, long: 5_000 },
    async (random) => expectRefused(alter(genuine.url, random)),
  )
  await trials.attempt(`a signature for another file (${store})`, () =>
    expectExchangeRefused(world, genuine.url),
  )
  await trials.repeat(
    `a file of any name (${store})`,
    { ci: 10, short: 50, long: 1_000 },
    (random) => expectOneHeader(world, random),
  )
  await world.start({ DOWNLOAD_LINK_TTL: `${LIFETIME_MS}ms` })
  await trials.attempt(`an expired link (${store})`, () => expectToExpire(world))
  await trials.attempt(`nothing left behind (${store})`, () => world.assertInvariants())
}

async function linkTo({ client, people }: World, filename: string) {
  const as = client.as(people.admin)
  const content = `content ${randomUUID()}`
  const created = await as.request('POST', '/documents', formOf(filename, content))
  expect(created.status, created.text).to.equal(201)
  const answer = await as.get(`/documents/${created.body.uuid as string}/download`)
  expect(answer.status, answer.text).to.equal(200)
  return { url: answer.body.url as string, filename: answer.body.filename as string, content }
}

async function expectRefused(url: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual' })
  const text = await answer.text()
  expect(answer.status, url).to.be.oneOf(REFUSALS)
  expect(text, url).not.to.include('content ')
}

async function expectExchangeRefused(world: World, genuine: string): Promise<void> {
  const other = new URL((await linkTo(world, 'other.csv')).url)
  const exchanged = new URL(genuine)
  exchanged.search = other.search
  await expectRefused(exchanged.href)
  exchanged.search = new URL(genuine).search
  exchanged.pathname = other.pathname
  await expectRefused(exchanged.href)
}

async function expectOneHeader(world: World, random: SeededRandom): Promise<void> {
  const { url, filename, content } = await linkTo(world, strangeName(random))
  const answer = await fetch(url)
  expect(answer.status, filename).to.equal(200)
  expect(await answer.text()).to.equal(content)
  const disposition = answer.headers.get('content-disposition') ?? ''
  const [, name] = DISPOSITION.exec(disposition) ?? []
  expect(name, `${filename}: ${disposition}`).to.be.a('string')
  expect(decodeURIComponent(name!)).to.equal(filename)
}

async function expectToExpire(world: World): Promise<void> {
  const { url } = await linkTo(world, 'passing.csv')
  expect((await fetch(url)).status, 'at once').to.equal(200)
  // Lifetimes are whole seconds.
  await sleep(LIFETIME_MS + 1_100)
  await expectRefused(url)
}
