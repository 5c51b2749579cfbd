import { expect } from 'chai'

import { useDatabase } from '../support/database.ts'

describe('search_fold and search_pattern', () => {
  const database = useDatabase()

  const NAMES = ['Élan', '100 % coton', '100 pommes', 'a_b', 'axb', 'c\\d', 'Œuvre', '漢字']

  before(() =>
    database
      .knex('enterprises')
      .insert(NAMES.map((name) => ({ name, account_type: 'enterprise' }))),
  )

  const find = async (term: string): Promise<string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from enterprises where search_fold(name) like search_pattern($1) order by id',
      [term],
    )
    return rows.map((row) => row.name)
  }

  it('ignore accents and case on both sides', async () => {
    expect(await find('elan')).to.deep.equal(['Élan'])
    expect(await find('ÊLÀN')).to.deep.equal(['Élan'])
    expect(await find('oeuv')).to.deep.equal(['Œuvre'])
    expect(await find('漢')).to.deep.equal(['漢字'])
  })

  it('ignore accents that are written as characters of their own', async () => {
    expect(await find('e\u0301lan')).to.deep.equal(['Élan'])
  })

  it('take %, _ and \\ literally', async () => {
    expect(await find('100 %')).to.deep.equal(['100 % coton'])
    expect(await find('\uFF05')).to.deep.equal(['100 % coton'])
    expect(await find('a_b')).to.deep.equal(['a_b'])
    expect(await find('c\\d')).to.deep.equal(['c\\d'])
  })

  it('find everything for an empty term', async () => {
    expect(await find('')).to.deep.equal(NAMES)
  })

  it('let a search use the index on the folded name', async () => {
    const plan = await database.knex.transaction(async (trx) => {
      await trx.raw('set local enable_seqscan = off')
      return trx.raw<{ rows: Record<string, string>[] }>(
        "explain select 1 from enterprises where search_fold(name) like search_pattern('coton')",
      )
    })
    expect(JSON.stringify(plan.rows)).to.include('enterprises_search')
  })
})
