import { expect } from 'chai'

import type { LoadMode } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto, refusalOf, rowsOf, stagingTables } from './loading.ts'

const append: { mode: LoadMode } = { mode: { kind: 'append' } }
const upsert: { mode: LoadMode } = { mode: { kind: 'upsert', key: 'Clé' } }

describe('rows added to a table', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('go behind those that are there, columns found by their headers', async () => {
    await loadInto(database, bytesOf('Clé;Prix\n1;10\n2;20\n'))
    const { rowsInTable, counts } = await loadInto(database, bytesOf('Prix;Clé\n30;3\n'), {
      target: append,
    })
    expect([rowsInTable, counts.loaded]).to.deep.equal([3, 1])
    expect(await rowsOf(database)).to.deep.equal([
      { _row: 1, cle: 1, prix: 10 },
      { _row: 2, cle: 2, prix: 20 },
      { _row: 3, cle: 3, prix: 30 },
    ])
  })

  it('make a column wider inside its type, and are held to the type itself', async () => {
    await loadInto(database, bytesOf('Clé;Jour\n1;2024-01-02\n'))
    await loadInto(database, bytesOf('Clé;Jour\n2.5;2024-01-02 03:04\n'), { target: append })
    expect(
      await rowsOf(database, 'select cle::text, jour::text from loaded order by _row'),
    ).to.deep.equal([
      { cle: '1', jour: '2024-01-02 00:00:00+00' },
      { cle: '2.5', jour: '2024-01-02 03:04:00+00' },
    ])
    const refusal = await refusalOf(
      loadInto(database, bytesOf('Clé;Jour\nthree;\n'), { target: append }),
    )
    expect(refusal.message).to.match(/^Valeur numérique invalide/)
    expect(await rowsOf(database)).to.have.length(2)
  })

  it('must not bring a column that the table does not have', async () => {
    await loadInto(database, bytesOf('Clé;Prix\n1;10\n'))
    const refusal = await refusalOf(
      loadInto(database, bytesOf('Clé;Couleur\n1;rouge\n'), { target: append }),
    )
    expect(refusal.message).to.contain('Couleur')
    expect(refusal.problem.kind).to.equal('options')
  })

  it('make the table when there is none', async () => {
    const { rowsInTable } = await loadInto(database, bytesOf('Clé;Prix\n1;10\n'), {
      target: append,
    })
    expect(rowsInTable).to.equal(1)
  })

  it('take the place of the row with their key, the last of the input first', async () => {
    await loadInto(database, bytesOf('Clé;Prix\na;10\nb;20\nc;30\n'))
    const { rowsInTable, report } = await loadInto(
      database,
      bytesOf('Clé;Prix\nb;21\nd;40\nb;22\n;50\n'),
      { target: upsert },
    )
    expect(rowsInTable).to.equal(5)
    expect(await rowsOf(database)).to.deep.equal([
      { _row: 1, cle: 'a', prix: 10 },
      { _row: 2, cle: 'b', prix: 22 },
      { _row: 3, cle: 'c', prix: 30 },
      { _row: 4, cle: 'd', prix: 40 },
      { _row: 5, cle: null, prix: 50 },
    ])
    expect(report.warnings.join()).to.contain('1 rows gave way')
  })

  it('are refused when their key is no column, or not unique in the table', async () => {
    await loadInto(database, bytesOf('Clé;Prix\na;10\na;20\n'))
    const repeated = await refusalOf(
      loadInto(database, bytesOf('Clé;Prix\na;1\n'), { target: upsert }),
    )
    expect(repeated.message).to.contain('not unique')
    const unknown = await refusalOf(loadInto(database, bytesOf('Prix\n1\n'), { target: upsert }))
    expect(unknown.problem).to.deep.equal({ kind: 'options', pointer: '/mode/key' })
    expect(await rowsOf(database)).to.have.length(2)
  })

  it('keep the rejects that are there, and add theirs', async () => {
    const options = { onInvalid: 'skip' } as const
    const file = `Clé;Prix\n${'1;10\n'.repeat(20)}`
    await loadInto(database, bytesOf(`${file}1;2;3\n`), { options })
    await loadInto(database, bytesOf(`${file}4;5;6\n`), { options, target: append })
    expect(await rowsOf(database, 'select raw from loaded_rejects order by raw')).to.deep.equal([
      { raw: '1;2;3' },
      { raw: '4;5;6' },
    ])
  })
})
