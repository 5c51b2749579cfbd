import { CONTESTS } from '../cases/contests.ts'
import { printMeasured } from './measure.ts'

// Whoever stands against the engine in a contest, in a process of its own.
const [contest, path, folder, databaseUrl, rows] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]

const rival = CONTESTS.find(({ name }) => name === contest)?.rival
if (rival === undefined) throw new Error(`There is no contest ${contest}`)

const began = performance.now()
const loaded = await rival.run(path, {
  folder,
  databaseUrl,
  signal: AbortSignal.timeout(3_600_000),
})
if (loaded !== Number(rows)) throw new Error(`${rival.name} loaded ${loaded} rows of ${rows}`)
printMeasured(began)
