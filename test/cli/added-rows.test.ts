import { expect } from 'chai'

import { cellMessages } from '../../pipelines/cells/cell-messages.ts'
import type { LoadMode } from '../../src/resources/load.ts'
import { useDatabase } from '../support/database.ts'
import { bytesOf, loadInto, refusalOf, rowsOf, stagingTables } from '../pipelines/engine/loading.ts'

const append: LoadMode = { kind: 'append' }
const upsert: LoadMode = { kind: 'upsert', key: 'Clé' }

describe('rows added to a table', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('go behind those that are there, columns found by their headers', async () => {
    await loadInto(database, bytesOf('Clé;Prix\n1;10\n2;20\n'))
    const { rowsInTable, counts } = await loadInto(database, bytesOf('Prix;Clé\n30;3\n'), {
      mode: append,
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
    await loadInto(database, bytesOf('Clé;Jour\n2.5;2024-01-02 03:04\n'), { mode: append })
    expect(
      await rowsOf(database, 'select cle::text, jour::text from loaded order by _row'),
    ).to.deep.equal([
      { cle: '1', jour: '2024-01-02 00:00:00+00' },
      { cle: '2.5', jour: '2024-01-02 03:04:00+00' },
    ])
    const refusal = await refusalOf(
      loadInto(database, bytesOf('Clé;Jour\nthree;\n'), { mode: append }),
    )
    expect(refusal.message).to.match(/^Invalid number/)
    expect(await rowsOf(database)).to.have.length(2)
  })

  it('leave a column alone that they do not have', async () => {
    await loadInto(database, bytesOf('Clé;Jour;Prix\n1;2024-01-02 03:04;1.5\n'))
    const held = async () =>
      (
        await rowsOf(
          database,
          `select column_name as name, data_type as type from information_schema.columns
           where table_name = 'loaded' order by ordinal_position`,
        )
      ).map(({ type }) => type)
    const before = await held()
    for (const rows of ['', ';;\n2;;\n']) {
      await loadInto(database, bytesOf(`Clé;Jour;Prix\n${rows}`), { mode: append })
      expect(await held()).to.deep.equal(before)
    }
  })

  it('must not bring a column that the table does not have', async () => {
    await loadInto(database, bytesOf('Clé;Prix\n1;10\n'))
    const refusal = await refusalOf(
      loadInto(database, bytesOf('Clé;Couleur\n1;rouge\n'), { mode: append }),
    )
    expect(refusal.message).to.contain('Couleur')
    expect(refusal.problem.kind).to.equal('options')
  })

  it('make the table when there is none', async () => {
    const { rowsInTable } = await loadInto(database, bytesOf('Clé;Prix\n1;10\n'), {
      mode: append,
    })
    expect(rowsInTable).to.equal(1)
  })

  it('take the place of the row with their key, the last of the input first', async () => {
    await loadInto(database, bytesOf('Clé;Prix\na;10\nb;20\nc;30\n'))
    const { rowsInTable, report } = await loadInto(
      database,
      bytesOf('Clé;Prix\nb;21\nd;40\nb;22\n'),
      { mode: upsert },
    )
    expect(rowsInTable).to.equal(4)
    expect(await rowsOf(database)).to.deep.equal([
      { _row: 1, cle: 'a', prix: 10 },
      { _row: 2, cle: 'b', prix: 22 },
      { _row: 3, cle: 'c', prix: 30 },
      { _row: 4, cle: 'd', prix: 40 },
    ])
    expect(report.warnings.map(({ message }) => String(message)).join()).to.contain(
      '1 row gave way',
    )
  })

  it('are loaded once per key, also when they make the table', async () => {
    const source = () => bytesOf('Clé;Prix\nb;21\nd;40\nb;22\nd;41\na;1\n')
    for (const streams of [1, 2]) {
      await database.pool.query('drop table if exists loaded')
      for (const found of ['2 rows gave way', '2 rows gave way']) {
        const { rowsInTable, report } = await loadInto(database, source(), {
          mode: upsert,
          target: { streams },
        })
        expect(rowsInTable).to.equal(3)
        expect(report.warnings.map(({ message }) => String(message)).join()).to.contain(found)
        expect(await rowsOf(database)).to.deep.equal([
          { _row: 1, cle: 'b', prix: 22 },
          { _row: 2, cle: 'd', prix: 41 },
          { _row: 3, cle: 'a', prix: 1 },
        ])
      }
    }
  })

  describe('by key, whose key is blank', () => {
    const keyless = () => bytesOf('Clé;Prix\n1;11\n;20\n3;30\n;40\n')

    for (const there of [true, false]) {
      const given = there ? 'to a table' : 'to no table'
      beforeEach(async () => {
        if (there) await loadInto(database, bytesOf('Clé;Prix\n1;10\n'))
      })

      for (const onInvalid of ['reject', 'null'] as const) {
        it(`are refused with their lines under ${onInvalid}, ${given}`, async () => {
          const load = loadInto(database, keyless(), { mode: upsert, options: { onInvalid } })
          const { problem, message } = await refusalOf(load)
          const absent = cellMessages.absentKey({ header: 'Clé' })
          const error = { column: 'Clé', value: '', message: absent }
          expect(message).to.match(/^The key is missing: /)
          expect(problem).to.deep.equal({
            kind: 'cells',
            total: 2,
            errors: [
              { row: 2, line: 3, ...error },
              { row: 4, line: 5, ...error },
            ],
            byRule: [{ rule: 'type', count: 2 }],
          })
        })
      }

      it(`are rejects under skip, ${given}`, async () => {
        const options = { onInvalid: 'skip' } as const
        const { counts } = await loadInto(database, keyless(), { mode: upsert, options })
        expect(counts).to.include({ loaded: 2, rejected: 2 })
        expect(await rowsOf(database, 'select cle, prix from loaded order by 1')).to.deep.equal([
          { cle: 1, prix: 11 },
          { cle: 3, prix: 30 },
        ])
        const rejects = await rowsOf(database, 'select line, "column", raw from loaded_rejects')
        expect(rejects).to.deep.equal([
          { line: 3, column: 'Clé', raw: ';20' },
          { line: 5, column: 'Clé', raw: ';40' },
        ])
      })
    }

    it('count rows of JSON that lack it among them, and cells that were made NULL', async () => {
      await loadInto(database, bytesOf('Clé;Prix\n1;10\n'))
      const options = { onInvalid: 'skip' } as const
      const json = bytesOf('{"Prix":1}\n{"Clé":"null","Prix":2}\n{"Clé":2,"Prix":3}\n')
      const { counts } = await loadInto(database, json, { mode: upsert, options })
      expect(counts).to.include({ loaded: 1, rejected: 2 })
      const invalid = loadInto(database, bytesOf('Clé;Prix\ntrois;1\n'), {
        mode: upsert,
        options: { onInvalid: 'null' },
      })
      expect((await refusalOf(invalid)).message).to.match(/^Invalid number/)
    })

    it('are taken in every other mode', async () => {
      await loadInto(database, keyless())
      await loadInto(database, keyless(), { mode: append })
      expect(await rowsOf(database)).to.have.length(8)
    })
  })

  it('are refused before anything is loaded where no column is their key', async () => {
    const unknown = await refusalOf(loadInto(database, bytesOf('Prix\n1\n'), { mode: upsert }))
    expect(unknown.problem).to.deep.equal({ kind: 'options', pointer: '/mode/key' })
    const late = await refusalOf(loadInto(database, bytesOf('{"Prix":1}\n'), { mode: upsert }))
    expect(late.problem).to.deep.equal({ kind: 'options', pointer: '/mode/key' })
  })

  it('are refused when their key is no column, or not unique in the table', async () => {
    await loadInto(database, bytesOf('Clé;Prix\na;10\na;20\n'))
    const repeated = await refusalOf(
      loadInto(database, bytesOf('Clé;Prix\na;1\n'), { mode: upsert }),
    )
    expect(repeated.message).to.contain('not unique')
    const unknown = await refusalOf(loadInto(database, bytesOf('Prix\n1\n'), { mode: upsert }))
    expect(unknown.problem).to.deep.equal({ kind: 'options', pointer: '/mode/key' })
    expect(await rowsOf(database)).to.have.length(2)
  })

  it('keep the rejects that are there, and add theirs', async () => {
    const options = { onInvalid: 'skip' } as const
    const file = `Clé;Prix\n${'1;10\n'.repeat(20)}`
    await loadInto(database, bytesOf(`${file}1;2;3\n`), { options })
    await loadInto(database, bytesOf(`${file}4;5;6\n`), { options, mode: append })
    expect(await rowsOf(database, 'select raw from loaded_rejects order by raw')).to.deep.equal([
      { raw: '1;2;3' },
      { raw: '4;5;6' },
    ])
  })
})
