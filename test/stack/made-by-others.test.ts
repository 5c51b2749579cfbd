import { expect } from 'chai'

import { withTransaction } from '../../src/db/transaction.ts'
import { readTable } from '../../src/stack/look.ts'
import { PATIENCE } from '../../src/stack/table/lock-table.ts'
import { refuseToWrite } from '../../src/stack/table/made-by-others.ts'
import { POSTGRES_ENGINE } from '../../src/stack/table/table-engine.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { holdLocks } from '../support/held-locks.ts'
import { PostgresTable } from './postgres-table.ts'

const A_TRY = { ...PATIENCE, tryForMs: 60_000 }

describe('what is asked of a table before it changes', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('goes past what housekeeping drops meanwhile', async () => {
    const { pool } = database
    const { id } = await build.enterprise()
    const make = await PostgresTable.maker(pool, id)
    const made = await make(`changed_${id}`)
    await made.load('replace', [{ key: 1, value: '1' }], false, null)
    const parts = ['first', 'second'].map((name) => `enterprise_${id}_loads.${name}`)
    for (const part of parts) {
      await pool.query(`create table ${part} (a int)`)
      await pool.query(
        'insert into load_tables (enterprise_id, table_id, name) values ($1, $2, $3)',
        [id, made.id, part.split('.')[1]],
      )
    }
    const held = await holdLocks(pool, `lock table ${parts[0]} in share mode`)
    const table = await readTable(pool, made.id)
    const asked = withTransaction(pool, (client) =>
      refuseToWrite(client, table, POSTGRES_ENGINE, A_TRY),
    ).then(
      () => 'nothing forbids it',
      (error: unknown) => String(error),
    )
    await held.isWaitedFor(parts[0]!)
    await held.run(`drop table ${parts[1]}`)
    await held.release()
    expect(await asked).to.equal('nothing forbids it')
  })
})
