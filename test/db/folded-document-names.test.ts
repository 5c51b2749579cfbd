import { expect } from 'chai'
import type { Pool } from 'pg'

import { migrate } from '../../src/db/migrate.ts'
import { databaseBefore, type EarlierDatabase } from '../support/earlier-database.ts'

const MIGRATION = '0013_folded_document_names'

describe('the folded name of a document', () => {
  let database: EarlierDatabase
  let pool: Pool

  before('makes a database as it was before, with documents', async () => {
    database = await databaseBefore(MIGRATION)
    pool = database.pool
    await add('Relevé 100 %.csv', 'ŒUVRE_1.csv')
  })
  after(() => database[Symbol.asyncDispose]())

  const add = (...names: string[]) =>
    pool.query(
      `insert into documents (bucket, path, original_name, content_type, size_bytes, sha256)
       select 'files', name, name, 'text/csv', 1, '' from unnest($1::text[]) name`,
      [names],
    )
  const folded = async () => {
    const { rows } = await pool.query<{ name: string }>(
      'select folded_name as name from documents order by id',
    )
    return rows.map(({ name }) => name)
  }

  it('is set for existing and for new documents', async () => {
    expect(await migrate(database.url)).to.include(MIGRATION)
    await add('Été.csv')
    expect(await folded()).to.deep.equal(['releve 100 %.csv', 'oeuvre_1.csv', 'ete.csv'])
  })

  it('changes with the name', async () => {
    await pool.query(`update documents set original_name = 'Noël.csv' where path = 'Été.csv'`)
    expect((await folded()).at(-1)).to.equal('noel.csv')
  })

  it('lets a search use the index on it', async () => {
    await pool.query('set enable_seqscan = off')
    const { rows } = await pool.query(
      "explain select from documents where folded_name like search_pattern('releve')",
    )
    expect(JSON.stringify(rows)).to.include('documents_search')
  })
})
