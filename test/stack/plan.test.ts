import { seededRandom } from '../support/seeded-random.ts'
import { live } from './histories.ts'
import { ModelTable } from './model-table.ts'

const HISTORIES = 10_000
const CHANGES = 12

describe('the plan of what a publication does', () => {
  it('leads to the rows of the state, whatever came before it and wherever it was broken off', async () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      await live(new ModelTable(), seededRandom(seed), CHANGES).catch((error: unknown) => {
        throw new Error(`History ${seed}`, { cause: error })
      })
    }
  })
})
