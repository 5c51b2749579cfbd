import { once } from 'node:events'

import { expect } from 'chai'

import { createFormResponsesLoader } from '../../../src/connectors/formulaires/record-loader.ts'
import {
  type ArrivedPage,
  type FetchPage,
  walkPages,
} from '../../../src/connectors/formulaires/walk-pages.ts'
import { plainPages } from '../../support/records.ts'
import {
  createStage,
  failureOf,
  loadForm,
  never,
  readAll,
  recordRequests,
  type Stage,
} from './support.ts'
import { holdClock } from '../../support/held-clock.ts'
import { until } from '../../support/patience.ts'

const WIDE = { maxPages: 9, maxEmptyPages: 9, maxRows: 9, maxBytes: 99, loadTimeoutMs: 9999 }

function arrived(likelyCursor: string | null, nextCursor: string | null): ArrivedPage {
  const total = nextCursor === null ? 1 : 2
  return { json: [], bytes: 2, likelyCursor, endOf: () => ({ nextCursor, total }) }
}

/** Pulls every page, as one that held a single record, and says when. */
async function walk(fetchPage: FetchPage, onPage: () => void = () => undefined): Promise<number> {
  const pages = walkPages(fetchPage, WIDE, never())
  let count = 0
  for (let page = await pages.next(); page.done !== true;) {
    count += 1
    onPage()
    page = await pages.next({ rows: 1, beside: {} })
  }
  return count
}

/** Values without blanks and without the addresses of attached files. */
function kept(values: Record<string, unknown>): Record<string, unknown> {
  const answered = Object.entries(values).filter(([, value]) => value !== null)
  const withoutUrl = (key: string, value: unknown) => (key === 'url' ? undefined : value)
  return JSON.parse(JSON.stringify(Object.fromEntries(answered), withoutUrl))
}

describe('loading the records of a form', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })
  afterEach(() => stage.close())

  it('yields every response once, in order', async () => {
    const rows = await loadForm(stage)
    const whole = await fetch(
      `${stage.simulator.url}/api/v1/forms/${stage.formUuid}/responses?limit=1000`,
      { headers: { 'x-api-key': stage.simulator.apiKey } },
    )
    const { items } = (await whole.json()) as { items: { values: Record<string, unknown> }[] }
    expect(rows).to.have.length(95)
    expect(rows).to.deep.equal(items.map(({ values }) => kept(values)))
  })

  it('yields the submissions of a card', async () => {
    const uuid = stage.simulator.cards[0]!.uuid
    const { item, source } = await stage.card.open(stage.access, uuid, never())
    expect(item.title).to.equal('Fiche équipement')
    expect(await readAll(source)).to.have.length(95)
    const paths = new Set(stage.simulator.requests().map(({ path }) => path))
    expect([...paths]).to.include(`/api/v1/cards/${uuid}/submissions`)
  })

  it('has a column for a question that nobody answered, and keeps answers to removed ones', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    const rows = await readAll(source)
    const keys = new Set(rows.flatMap((row) => Object.keys(row)))
    const columns = source.columns.map(({ key }) => key)
    expect(columns).to.include('interne')
    expect([...keys]).to.not.include('interne')
    expect(columns).to.not.include('ancien_code')
    expect([...keys]).to.include('ancien_code')
  })

  it('begins again from the first record when it is read again', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    expect(await readAll(source)).to.deep.equal(await readAll(source))
  })

  it('yields nothing for a form without questions or records', async () => {
    const empty = stage.simulator.forms[5]!
    const { source } = await stage.form.open(stage.access, empty.uuid, never())
    expect(source.columns).to.deep.equal([])
    expect(await readAll(source)).to.deep.equal([])
  })

  it('takes in records that arrive while pages are read', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    let rows = 0
    for await (const { records } of plainPages(source, never())) {
      if (rows === 30) stage.simulator.addRecords(stage.formUuid, 25)
      rows += records.length
    }
    expect(rows).to.equal(120)
  })

  it('fetches the next page while one is worked on, and not a third', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    const pages = plainPages(source, never())
    for (let page = 1; page <= 3; page++) {
      await pages.next()
      await until('the next page is fetched', () => recordRequests(stage) > page)
      // Time for another request to arrive, if there were one.
      await stage.form.list(stage.access, { page: 1, limit: 1 }, never())
      expect(recordRequests(stage)).to.equal(page + 1)
    }
    await pages.return()
  })

  it('stops the request under way when its reader leaves early', async () => {
    const asked: AbortSignal[] = []
    const fetchPage: FetchPage = async (cursor, signal) => {
      asked.push(signal)
      if (cursor !== null) await once(signal, 'abort')
      return arrived('next', 'next')
    }
    const pages = walkPages(fetchPage, WIDE, never())
    await pages.next()
    await pages.return()
    expect(asked.map(({ aborted }) => aborted)).to.deep.equal([false, true])
  })

  it('asks for the page that is likely to be next before it gives this one', async () => {
    const events: string[] = []
    const fetchPage: FetchPage = async (cursor) => {
      events.push(`ask ${cursor}`)
      const next = cursor === null ? 'b' : null
      return arrived(next, next)
    }
    await walk(fetchPage, () => events.push('work'))
    expect(events).to.deep.equal(['ask null', 'ask b', 'work', 'work'])
  })

  it('asks for the next page once this one was read where nothing tells which it is', async () => {
    const asked: unknown[] = []
    const fetchPage: FetchPage = async (cursor) => {
      asked.push(cursor)
      return arrived(null, cursor === null ? 'b' : null)
    }
    expect(await walk(fetchPage)).to.equal(2)
    expect(asked).to.deep.equal([null, 'b'])
  })

  it('cancels a page that was requested by a wrong guess, and requests the next one', async () => {
    for (const next of ['c', null]) {
      const asked: [string | null, AbortSignal][] = []
      const fetchPage: FetchPage = async (cursor, signal) => {
        asked.push([cursor, signal])
        if (cursor === 'guess') await once(signal, 'abort')
        return cursor === null ? arrived('guess', next) : arrived(null, null)
      }
      const pages = await walk(fetchPage)
      expect(asked.map(([cursor, { aborted }]) => [cursor, aborted])).to.deep.equal([
        [null, false],
        ['guess', true],
        ...(next === null ? [] : [['c', false]]),
      ])
      expect(pages).to.equal(next === null ? 1 : 2)
    }
  })

  it('reports what is wrong with a page although the next one was requested already', async () => {
    let isAborted = false
    const fetchPage: FetchPage = async (cursor, signal) => {
      if (cursor === null) return arrived('b', 'b')
      await once(signal, 'abort')
      isAborted = true
      throw new Error('aborted')
    }
    const pages = walkPages(fetchPage, WIDE, never())
    await pages.next()
    const failure: unknown = await pages
      .throw(new Error('malformed'))
      .catch((error: unknown) => error)
    expect([(failure as Error).message, isAborted]).to.deep.equal(['malformed', true])
  })

  it('stops when it is cancelled, with the reason given', async () => {
    stage.simulator.faults.add({ kind: 'hang', on: 'records', after: 2 })
    const controller = new AbortController()
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    const reason = new Error('cancelled by its owner')
    const outcome = readAll(source, controller.signal).catch((error: unknown) => error)
    await until('the third page hangs', () => recordRequests(stage) === 3)
    controller.abort(reason)
    expect(await outcome).to.equal(reason)
  })

  it('stops when it is cancelled between two attempts', async () => {
    const clock = holdClock()
    await stage.close()
    stage = await createStage({ connector: { clock } })
    stage.simulator.faults.add({ kind: 'status', status: 503, retryAfter: '30', on: 'records' })
    const controller = new AbortController()
    const outcome = loadForm(stage, controller.signal).catch((error: unknown) => error)
    await clock.waiting(1)
    const reason = new Error('cancelled')
    controller.abort(reason)
    expect(await outcome).to.equal(reason)
    expect(recordRequests(stage)).to.equal(1)
  })

  it('reports a page that failed ahead only when its turn comes', async () => {
    const { source } = await stage.form.open(stage.access, stage.formUuid, never())
    stage.simulator.faults.add({ kind: 'status', status: 403, on: 'records', after: 1 })
    const pages = plainPages(source, never())
    expect((await pages.next()).done).to.equal(false)
    await until('the second page is refused', () => recordRequests(stage) === 2)
    const failure = await failureOf(stage, pages.next())
    expect(failure.problem).to.deep.equal({ kind: 'failed', reason: 'refused' })
  })
})

describe('the size of a page', () => {
  const limits = { maxPages: 9, maxEmptyPages: 9, maxRows: 9, maxBytes: 9, loadTimeoutMs: 999 }
  for (const [columns, asked] of [
    [0, 1000],
    [12, 1000],
    [50, 1000],
    [200, 250],
    [1590, 31],
    [60_000, 1],
  ] as const) {
    it(`is ${asked} records of a form of ${columns} columns`, async () => {
      const queries: unknown[] = []
      const load = createFormResponsesLoader({
        client: {
          get: async () => ({ value: null, bytes: 0 }),
          async getBytes(_access, { query }) {
            queries.push(query)
            const page = { items: [], nextCursor: null, total: 0 }
            return { value: [Buffer.from(JSON.stringify(page))], bytes: 0 }
          },
        },
        pageSize: 1000,
        limits,
      })
      const source = load(
        { baseUrl: 'https://forms.example', apiKey: 'key' },
        {
          uuid: '11111111-1111-4111-8111-111111111111',
          title: 'Wide',
          publicationStatus: null,
          recordCount: 0,
          updatedAt: null,
          columns: Array.from({ length: columns }, (_, n) => ({
            key: `q${n}`,
            label: null,
            type: 'text',
          })),
        },
      )
      expect(await readAll(source)).to.deep.equal([])
      expect(queries).to.deep.equal([{ cursor: undefined, limit: asked }])
    })
  }
})

describe('limits of a load', () => {
  const limits = [
    ['pages', { maxPages: 9 }, { kind: 'failed', reason: 'too-large' }],
    ['records', { maxRows: 94 }, { kind: 'failed', reason: 'too-large' }],
    ['bytes', { maxBytes: 20_000 }, { kind: 'failed', reason: 'too-large' }],
  ] as const
  for (const [name, limit, problem] of limits) {
    it(`stops at so many ${name}`, async () => {
      const stage = await createStage({ connector: { limits: limit } })
      try {
        expect((await failureOf(stage, loadForm(stage))).problem).to.deep.equal(problem)
      } finally {
        await stage.close()
      }
    })
  }

  it('stops when the whole load takes too long, though every page is quick', async () => {
    const clock = holdClock()
    let fetched = 0
    const fetchPage: FetchPage = async () => {
      clock.advance(30)
      const nextCursor = `cursor ${++fetched}`
      return { json: [], bytes: 2, likelyCursor: null, endOf: () => ({ nextCursor, total: 0 }) }
    }
    let failure: unknown
    const pages = walkPages(fetchPage, { ...WIDE, loadTimeoutMs: 120 }, never(), clock)
    try {
      for (let page = await pages.next(); page.done !== true;) {
        page = await pages.next({ rows: 0, beside: {} })
      }
    } catch (error) {
      failure = error
    }
    expect(failure).to.have.deep.property('problem', { kind: 'too-slow' })
    expect(fetched).to.equal(4)
  })
})
