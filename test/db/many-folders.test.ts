import { expect } from 'chai'

import { folder } from '../../src/resources/folder.ts'
import { selectionOf } from '../../src/resources/resource.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'

describe('one folder that holds almost everything', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  before(async () => {
    const enterprise = await build.enterprise()
    const { id: userId } = await build.user({ role: 'super-admin' })
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into folders (name, client_id, enterprise_id, created_by)
       values ('All', $1, $2, $1) returning id`,
      [userId, enterprise.id],
    )
    await database.pool.query(
      `insert into folders (name, client_id, enterprise_id, created_by, parent_id)
       select 'Folder ' || n, $1, $2, $1, $3 from generate_series(1, 3000) n`,
      [userId, enterprise.id, rows[0]!.id],
    )
    await database.pool.query(
      `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
         size_bytes, sha256)
       select $1, $2, 'all', 'all/' || n, 'Document', 'text/csv', 1, repeat('0', 64)
       from generate_series(1, 10000) n`,
      [enterprise.id, rows[0]!.id],
    )
    await database.pool.query('analyze folders, documents')
  })

  it('does not read all documents and folders for each folder of a page', async () => {
    const { rows } = await database.pool.query<Record<string, string>>(
      `explain select ${selectionOf(folder, 'f')} from folders f
       where f.id in (select id from folders order by id desc limit 20)`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.to.include('Seq Scan on documents')
    expect(plan).not.to.include('Seq Scan on folders c')
  })
})
