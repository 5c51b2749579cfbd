import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { live } from './histories.ts'
import { PostgresTable } from './postgres-table.ts'

const HISTORIES = 100
const CHANGES = 4
/** Each has its own table, and waits for answers rather than for others. */
const AT_ONCE = 4

describe('the plan of what a publication does, on PostgreSQL', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('leads to the rows of the state, whatever came before it and wherever it was broken off', async () => {
    const { id } = await build.enterprise()
    const make = await PostgresTable.maker(database.pool, id)
    let seed = 0
    const liveNext = async () => {
      while (seed < HISTORIES) {
        const own = ++seed
        const table = await make(`history_${own}`)
        await live(table, seededRandom(own), CHANGES).catch((error: unknown) => {
          throw new Error(`History ${own}`, { cause: error })
        })
        await table.remove()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, liveNext))
  })
})
