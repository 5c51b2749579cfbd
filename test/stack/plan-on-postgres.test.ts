import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { live } from './histories.ts'
import { PostgresTable } from './postgres-table.ts'

/** More of them take minutes beside other tests. */
const HISTORIES = 40
const CHANGES = 4

describe('the plan of what a publication does, on PostgreSQL', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('leads to the rows of the state, whatever came before it and wherever it was broken off', async () => {
    const { id } = await build.enterprise()
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const table = await PostgresTable.open(database.pool, id, `history_${seed}`)
      await live(table, seededRandom(seed), CHANGES).catch((error: unknown) => {
        throw new Error(`History ${seed}`, { cause: error })
      })
      await table.remove()
    }
  })
})
