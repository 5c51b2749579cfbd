import { expect } from 'chai'

import { LOCKS, lockUntilCommit } from '../../../src/db/locks.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { found } from '../../support/patience.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'
import type { Intrusion } from './intrusion.ts'

/** What waits in the queue is asked for with rights that are gone when it is done. */
export const workAfterRightsWereLost: Intrusion = {
  name: 'a root deletion and a reload that waited while those who asked for them were demoted',
  async attempt({ world }) {
    const { pool, build, client } = world
    const boss = await build.user({ role: 'super-admin' })
    const admin = await build.user()
    const root = await build.folder()
    const { uuid } = await created(createFromFile(client.as(admin), 'city;n\nLyon;1\n'))
    const later = { prefer: 'respond-async' }
    const held = await holdLocks(pool, lockUntilCommit(LOCKS.nextJob))
    const jobs: string[] = []
    try {
      const answers = [
        await client
          .as(boss)
          .withHeaders(later)
          .delete(`/folders/${root.uuid}/root`, { folderName: root.name }),
        await client
          .as(admin)
          .withHeaders(later)
          .request('POST', `/sources/${uuid}/reload`, {
            content: sourceForm({}, 'city;n\nNice;2\n'),
          }),
      ]
      for (const { status, body, text } of answers) {
        expect(status, text).to.equal(202)
        jobs.push(body.uuid as string)
      }
      // Within the enterprise of what it is about: it is the role alone that is gone.
      await pool.query(
        `update users set role_type = 'admin', enterprise_id = ${root.enterpriseId} where id = $1`,
        [boss.id],
      )
      await pool.query(`update users set role_type = 'client' where id = $1`, [admin.id])
    } finally {
      await held.release()
    }
    const codes = await found('both jobs have ended', async () => {
      const { rows } = await pool.query<{ code: string | null }>(
        `select error ->> 'code' as code from jobs where uuid = any ($1) and finished_at is not null`,
        [jobs],
      )
      return rows.length === jobs.length ? rows.map(({ code }) => code) : null
    })
    expect(codes).to.deep.equal(['RightsLostException', 'RightsLostException'])
    const left = await pool.query('select from folders where uuid = $1', [root.uuid])
    expect(left.rowCount, 'the tree is still there').to.equal(1)
    await pool.query(`update users set role_type = 'admin' where id = $1`, [admin.id])
    const { items } = (await client.as(admin).get(`/sources/${uuid}/data`)).body
    expect(JSON.stringify(items)).to.include('Lyon').and.not.include('Nice')
  },
}
