import { CONTESTS } from '../cases/contests.ts'
import { printMeasured } from './measure.ts'

// One contender of one contest, in a process of its own.
const [contest, contender, path, folder, databaseUrl, rows] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const chosen = CONTESTS.find(({ name }) => name === contest)?.contenders.find(
  ({ name }) => name === contender,
)
if (chosen === undefined) throw new Error(`There is no ${contender} in ${contest}`)

const began = performance.now()
const loaded = await chosen.run(path, {
  folder,
  databaseUrl,
  signal: AbortSignal.timeout(3_600_000),
})
if (loaded !== Number(rows)) throw new Error(`${contender} loaded ${loaded} rows of ${rows}`)
printMeasured(began)
