import { expect } from 'chai'

import { createPool } from '../../../src/db/pool.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { listDocuments } from '../../../src/domain/documents/list-documents.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'

const { signal } = new AbortController()

describe('the list of documents', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  /** One document in ten lies in a folder that is deleted, one in a folder that is not. */
  async function ownerOf(howMany: number): Promise<Actor> {
    const owner = await build.user()
    const kept = await build.folder()
    const deleted = await build.folder()
    await database.pool.query(
      `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256)
       select $2, case n % 10 when 0 then $3::bigint when 1 then $4::bigint end, 'files',
              $1 || '/' || n, 'Pièce ' || n || '.csv', 'text/csv', 1, ''
       from generate_series(1, $5::integer) n`,
      [owner.uuid, kept.enterpriseId, deleted.id, kept.id, howMany],
    )
    // Links are checked against documents one by one: now through the index.
    await database.pool.query('analyze documents')
    await database.pool.query(
      `insert into users_documents (user_id, document_id)
       select $1, id from documents where path like $2 || '/%'`,
      [owner.id, owner.uuid],
    )
    await database.pool.query('update folders set deleted_at = now() where id = $1', [deleted.id])
    return owner
  }
  const list = (owner: Actor, given: { page?: number; search?: string } = {}) =>
    listDocuments(database.pool, owner, { page: 1, limit: 6, ...given }, signal)

  describe('where little is deleted', () => showsAndSearches(100))

  describe('where many folders are deleted', () => {
    before('deletes a thousand', async () => {
      const { enterpriseId } = await build.folder()
      const { id } = await build.user()
      await database.pool.query(
        `insert into folders (name, client_id, enterprise_id, created_by, deleted_at)
         select 'Deleted ' || n, $1, $2, $1, now() from generate_series(1, 1000) n`,
        [id, enterpriseId],
      )
    })
    showsAndSearches(100)
  })

  describe('where many documents lie in deleted folders', () => {
    before('deletes the folder of a thousand', async () => {
      await database.pool.query(`delete from folders where name like 'Deleted %'`)
      await ownerOf(10_010)
    })
    // Few are counted one by one, many from the other end.
    showsAndSearches(100)
    showsAndSearches(10_010)
  })

  it('is planned once for everybody, and not at every call', async () => {
    await ownerOf(9000)
    const owner = await ownerOf(1000)
    await database.pool.query('analyze users_documents')
    const pool = createPool(database.url, { max: 1 })
    try {
      for (let call = 0; call < 10; call++) {
        await listDocuments(pool, owner, { page: 1, limit: 6 }, signal)
        await listDocuments(pool, owner, { page: 1, limit: 6, search: 'piece' }, signal)
      }
      const { rows } = await pool.query(
        `select name, custom_plans < 10 as is_kept from pg_prepared_statements order by name`,
      )
      expect(rows).to.deep.equal([
        { name: 'documents-of-owner', is_kept: true },
        { name: 'documents-of-owner-matching', is_kept: true },
      ])
    } finally {
      await pool.end()
    }
  })

  function showsAndSearches(howMany: number): void {
    it(`shows ${howMany} without those in deleted folders, the newest first`, async () => {
      await ownerOf(20)
      const owner = await ownerOf(howMany)
      const { items, total } = await list(owner)
      expect(total).to.equal(howMany * 0.9)
      const newest = [1, 2, 3, 4, 5, 6].map((back) => `Pièce ${howMany - back}.csv`)
      expect(items.map(({ filename }) => filename)).to.deep.equal(newest)
      const [inNone] = items
      expect(inNone?.folderUuid).to.equal(null)
      const last = await list(owner, { page: Math.ceil(total / 6) })
      expect(last.items.at(-1)).to.include({ filename: 'Pièce 1.csv' })
      expect(last.items.at(-1)?.folderUuid).to.be.a('string')
      expect(await list(owner, { page: 5000 })).to.deep.equal({ items: [], total })
    })

    it(`searches ${howMany} in the same way`, async () => {
      await ownerOf(20)
      const owner = await ownerOf(howMany)
      expect((await list(owner, { search: 'PIECE' })).total).to.equal(howMany * 0.9)
      const { items, total } = await list(owner, { search: 'piece 9' })
      const found = Array.from({ length: howMany }, (_, index) => String(index + 1)).filter(
        (number) => number.startsWith('9') && !number.endsWith('0'),
      )
      expect(total).to.equal(found.length)
      expect(items[0]?.filename).to.equal(`Pièce ${found.at(-1)}.csv`)
      expect((await list(owner, { search: 'piece 10.csv' })).total).to.equal(0)
      expect((await list(owner, { search: '%' })).total).to.equal(0)
    })
  }
})
