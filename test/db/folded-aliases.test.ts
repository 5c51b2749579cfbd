import { expect } from 'chai'

import { foldName } from '../../pipelines/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { databaseBefore, type EarlierDatabase } from '../support/earlier-database.ts'

const MIGRATION = '0063_fold_aliases_anew'

/** Names with what an earlier version folded them to. */
const REMEMBERED = [
  ['Chiffre d´affaires', 'chiffred\u0301affaires'],
  ['Prix¨', 'prix\u0308'],
  ['2´5 km', '2\u03015km'],
  ['¸ ´ ¯', '\u0327\u0301\u0304'],
  ['Цена´', 'цена\u0301'],
  ['Це\u0301на', 'це\u0301на'],
  ['हिन्दी', 'हिन्दी'],
  ['Date de début', 'datededebut'],
] as const

describe('the names that shapes remember', () => {
  let database: EarlierDatabase

  before('makes a database as it was before, with names', async () => {
    database = await databaseBefore(MIGRATION)
    await database.pool.query(
      `with made as (insert into enterprises (name, account_type) values ('A', 'enterprise') returning id),
       shape as (insert into shapes (enterprise_id, name) select id, 'S' from made returning id, enterprise_id)
       insert into shape_aliases (shape_id, enterprise_id, name, alias, folded)
       select id, enterprise_id, 'column', alias, folded
       from shape, unnest($1::text[], $2::text[]) as a (alias, folded)`,
      [REMEMBERED.map(([alias]) => alias), REMEMBERED.map(([, folded]) => folded)],
    )
  })
  after(() => database[Symbol.asyncDispose]())

  it('are found by what their names fold to now', async () => {
    expect(await migrate(database.url)).to.include(MIGRATION)
    const { rows } = await database.pool.query<{ alias: string; folded: string }>(
      'select alias, folded from shape_aliases',
    )
    expect(rows).to.have.length(REMEMBERED.length)
    for (const { alias, folded } of rows) expect(folded, alias).to.equal(foldName(alias))
  })
})
