import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type BenchmarkCase, median } from '../benchmark.ts'
import { inTurns } from '../support/in-turns.ts'
import { listeningProcess } from '../support/listening-process.ts'
import type { Measured } from '../support/measure.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)

/** From nothing to a listening service with its embedded database. */
export const startCase: BenchmarkCase = {
  name: 'start',
  summary: 'the start of the service with its embedded database, until it listens',
  rows: 1,
  async run({ runs }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
    const used = join(folder, 'used')
    const fresh = join(folder, 'fresh')
    try {
      await start(used)
      const results = await inTurns(
        {
          empty: {
            name: 'empty data folder',
            isOurs: true,
            prepare: () => rm(fresh, { recursive: true, force: true }),
            run: () => start(fresh),
          },
          initialised: { name: 'initialised data folder', isOurs: true, run: () => start(used) },
          killed: {
            name: 'after kill -9',
            isOurs: true,
            prepare: async () => {
              const server = await listeningProcess(MAIN, { DATA_DIR: used })
              await server.kill()
            },
            run: () => start(used),
          },
        },
        runs,
      )
      return {
        input: 'an empty data folder, and one that was used before',
        rows: null,
        bytes: null,
        contenders: Object.values(results),
        figures: [
          {
            what: 'seconds on an initialised data folder',
            found: median(results.initialised.samples),
            atMost: 3,
          },
          {
            what: 'seconds on an empty data folder',
            found: median(results.empty.samples),
            atMost: 8,
          },
          {
            what: 'seconds after kill -9',
            found: median(results.killed.samples),
            atMost: 5,
          },
        ],
        caveats: [
          'The first start makes the database, migrates it and fills the demo world.',
          'Counted from the spawning of `node src/main.ts`; `npm start` adds the start of npm.',
        ],
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function start(dataDir: string): Promise<Measured> {
  await using server = await listeningProcess(MAIN, { DATA_DIR: dataDir })
  return { ms: server.startedInMs, peakRssBytes: null }
}
