import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'

interface List {
  readonly path: string
  readonly table: string
  readonly createdAt?: string
  /** It can be in the order of names. */
  readonly isNamed?: true
  /** Makes one that the caller sees. */
  make(owner: Actor, name: string): Promise<unknown>
}

describe('lists', () => {
  const app = useApp({ env: { WORKER: 'false' } })
  let owner: Actor
  let root: string

  before(async () => {
    owner = await app.build.user({ role: 'super-admin', enterprise: await app.build.enterprise() })
    root = (await app.build.folder({ enterprise: owner.enterprise! })).uuid
  })

  const as = () => app.client.as(owner)
  const insert = (text: string, values: unknown[]) => app.database.pool.query(text, values)

  const LISTS: Readonly<Record<string, List>> = {
    connections: {
      path: '/connections',
      table: 'connections',
      isNamed: true,
      make: (_, name) => app.build.connection({ name, enterprise: owner.enterprise! }),
    },
    workflows: {
      path: '/workflows',
      table: 'workflows',
      isNamed: true,
      make: (_, name) => as().post('/workflows', { name }),
    },
    sources: {
      path: '/sources',
      table: 'sources',
      isNamed: true,
      make: ({ enterprise }, name) =>
        insert(
          `with taken as (
             insert into generated_tables (enterprise_id, name, current_load_id)
             values ($1, $3, 0) returning id),
           made as (
             insert into sources (enterprise_id, table_id, name, source)
             select $1, id, $2, 'file' from taken returning id)
           insert into shapes (enterprise_id, source_id) select $1, id from made`,
          [enterprise!.id, name, `t_${randomUUID().replaceAll('-', '')}`],
        ),
    },
    shapes: {
      path: '/shapes',
      table: 'shapes',
      isNamed: true,
      make: ({ enterprise }, name) =>
        as().post('/shapes', {
          name,
          enterpriseId: enterprise!.id,
          columns: [{ name: 'Client', type: 'text' }],
        }),
    },
    jobs: {
      path: '/jobs',
      table: 'jobs',
      make: ({ id }) =>
        insert(
          `insert into jobs (kind, owner_id, queued, status) values ('x', $1, true, 'QUEUED')`,
          [id],
        ),
    },
    'documents of an owner': {
      path: '/documents',
      table: 'documents',
      make: ({ id }, name) =>
        insert(
          `with made as (
             insert into documents (bucket, path, original_name, content_type, size_bytes, sha256)
             values ('files', $2, $3, 'text/csv', 1, '') returning id)
           insert into users_documents (user_id, document_id) select $1, id from made`,
          [id, randomUUID(), name],
        ),
    },
    folders: {
      path: '/folders',
      table: 'folders',
      createdAt: 'created_at',
      make: (_, name) => app.build.folder({ name }),
    },
    'children of a folder': {
      path: '/folders/{root}/children',
      table: 'folders',
      createdAt: 'created_at',
      make: (_, name) => as().post('/folders', { name, parentUuid: root }),
    },
  }

  for (const [name, { path, table, createdAt = 'createdAt', isNamed, make }] of Object.entries(
    LISTS,
  )) {
    describe(`of ${name}`, () => {
      const list = async (query: string) =>
        (await as().get(`${path.replace('{root}', root)}?${query}`)).body as {
          items: Record<string, string>[]
          total: number
        }

      before(async () => {
        for (let made = 0; made < 7; made++) await make(owner, `${name} ${made}`)
        // Times that go against the identifiers, and some that are the same.
        await app.database.pool.query(
          `update ${table} set created_at = timestamptz '2026-01-01' - id / 2 * interval '1 hour'`,
        )
        await app.database.pool.query(
          `update users_documents set created_at = documents.created_at
           from documents where documents.id = document_id`,
        )
      })

      it('show the newest first, then the one with the greater id', async () => {
        const { rows } = await app.database.pool.query<{ uuid: string }>(
          `select uuid from ${table} order by created_at desc, id desc`,
        )
        const order = rows.map(({ uuid }) => uuid)
        const { items, total } = await list('limit=100')
        expect(items).to.have.length(total)
        expect(total).to.be.at.least(7)
        const shown = items.map(({ uuid }) => uuid!)
        expect(shown).to.deep.equal(order.filter((uuid) => shown.includes(uuid)))
        const times = items.map((item) => item[createdAt]!)
        expect(times).to.deep.equal(times.toSorted().toReversed())
      })

      if (isNamed) {
        it('show names from A to Z or back, each on one page', async () => {
          const { items, total } = await list('sort=name&limit=100')
          const shown = items.map((item) => item['name']!)
          expect(shown).to.have.length(total)
          expect(shown).to.deep.equal(shown.toSorted((a, b) => a.localeCompare(b)))
          const pages = []
          for (let page = Math.ceil(total / 3); page >= 1; page--) {
            pages.push(...(await list(`sort=name&limit=3&page=${page}`)).items.toReversed())
          }
          expect(pages).to.deep.equal((await list('sort=name&order=desc&limit=100')).items)
        })
      }

      it('show each item on one page, and the total on every page', async () => {
        const { items, total } = await list('limit=100')
        const pages = []
        for (let page = 1; page <= Math.ceil(total / 3) + 1; page++) {
          pages.push(await list(`limit=3&page=${page}`))
        }
        expect(pages.map((page) => page.total)).to.deep.equal(pages.map(() => total))
        expect(pages.flatMap((page) => page.items)).to.deep.equal(items)
        expect(pages.at(-1)!.items).to.deep.equal([])
      })

      it('never show more than they count while others create', async () => {
        const creating = Promise.all(
          Array.from({ length: 20 }, (_, made) => make(owner, `${name} more ${made}`)),
        )
        const over = creating.then(() => 'over' as const)
        const look = async () => {
          const { items, total } = await list('limit=100')
          expect(items.length).to.equal(Math.min(total, 100))
        }
        do await look()
        while ((await Promise.race([over, nextTurn('under way')])) !== 'over')
      })

      it('take 1 to 100 for a page', async () => {
        for (const [limit, status] of [
          [0, 400],
          [1, 200],
          [100, 200],
          [101, 400],
        ]) {
          const answer = await as().get(`${path.replace('{root}', root)}?limit=${limit}`)
          expect(answer.status, `limit=${limit}`).to.equal(status)
        }
      })
    })
  }
})
