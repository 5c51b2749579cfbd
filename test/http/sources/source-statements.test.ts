import { AsyncLocalStorage } from 'node:async_hooks'

import { expect } from 'chai'

import { DatabaseClient } from '../../../src/db/client.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { created, createFromFile } from '../../support/sources.ts'

const ROWS = 'id;name\n1;a\n2;b\n'
/** The record of a source, whoever reads it: what clears up behind a load never does. */
const READS_SOURCE = /^\s*select[^;]*?\bfrom "?sources\b/i

/** What a load expects is the shape of its source, whichever that is. */
const OF_SHAPE = /from shapes sh\s+where sh\.id in/

interface Said {
  readonly by: DatabaseClient
  readonly text: string
}

describe('what is asked of the database', () => {
  const told = new AsyncLocalStorage<Said[]>()
  const query = DatabaseClient.prototype.query as (...given: unknown[]) => unknown

  before('listens to what is said on the way of one call, before there are connections', () => {
    DatabaseClient.prototype.query = function (this: DatabaseClient, ...given: unknown[]) {
      const [said] = given as [string | { readonly text?: string }]
      const text = typeof said === 'string' ? said : (said.text ?? 'copy')
      told.getStore()?.push({ by: this, text })
      return query.apply(this, given)
    } as typeof DatabaseClient.prototype.query
  })

  const app = useApp()
  let actor: Actor
  let uuid: string

  before('makes a source', async () => {
    actor = await app.build.user()
    uuid = (await created(createFromFile(app.client.as(actor), ROWS))).uuid
  })

  after(() => {
    DatabaseClient.prototype.query = query as typeof DatabaseClient.prototype.query
  })

  async function saidDuring(work: () => Promise<unknown>): Promise<readonly Said[]> {
    const said: Said[] = []
    await told.run(said, work)
    return said
  }

  const { signal } = new AbortController()

  it('for a page is the source, its state, where the page begins and its rows', async () => {
    const page = { page: 1, limit: 10, order: 'asc' as const, filters: [] }
    const said = await saidDuring(() => app.services.sources.readPage(actor, uuid, page, signal))
    expect(said.map(({ text }) => text.trim().split(/\s/)[0])).to.deep.equal([
      'select',
      'begin',
      'select',
      'with',
      'copy',
      'commit',
    ])
  })

  it('for a reload is the source for its job and where it begins, under its lease, and to be shown, and its shape before, for its rules, and after', async () => {
    const reload = { mode: { kind: 'replace' as const }, publishes: true }
    const said = await saidDuring(() =>
      app.services.jobs.perform(actor, 'source.reload', { uuid, reload }, signal),
    )
    const asked = said.map(({ text }) => text).filter((text) => READS_SOURCE.test(text))
    expect(asked.filter((text) => !OF_SHAPE.test(text))).to.have.length(4)
    expect(asked.filter((text) => OF_SHAPE.test(text))).to.have.length(3)
  })
  it('for a reload is one transaction after the other, and none inside of another', async () => {
    const reload = { mode: { kind: 'replace' as const }, publishes: true }
    const said = await saidDuring(() =>
      app.services.jobs.perform(actor, 'source.reload', { uuid, reload }, signal),
    )
    const open = new Set<DatabaseClient>()
    const ends = said.filter(({ text }) => /^(?:begin|commit|rollback)\b/i.test(text))
    for (const { by, text } of ends) {
      const isBeginning = /^begin/i.test(text)
      expect(open.has(by), text).to.equal(!isBeginning)
      if (isBeginning) open.add(by)
      else open.delete(by)
    }
    expect(ends.length).to.be.greaterThan(0)
  })
})
