import { expect } from 'chai'

import { useDatabase } from '../support/database.ts'

describe('search_fold', () => {
  const database = useDatabase()

  const fold = async (text: string): Promise<string> => {
    const { rows } = await database.pool.query<{ folded: string }>(
      'select search_fold($1) as folded',
      [text],
    )
    return rows[0]?.folded ?? ''
  }

  it('ignores accents and case', async () => {
    expect(await fold('Élèves À Noël, Œuvre')).to.equal('eleves a noel, oeuvre')
  })

  it('leaves what has no accent alone, % and _ included', async () => {
    expect(await fold('100%_sûr 漢字')).to.equal('100%_sur 漢字')
  })

  it('may stand in an index, which a search then uses', async () => {
    const { rows } = await database.pool.query<{ provolatile: string }>(
      "select provolatile from pg_proc where proname = 'search_fold'",
    )
    expect(rows[0]?.provolatile).to.equal('i')
  })
})
