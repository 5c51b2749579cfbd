import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type BenchmarkCase, median } from '../benchmark.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { listeningProcess } from '../support/listening-process.ts'
import type { Measured } from '../support/measure.ts'
import { measureProgram } from '../support/whole-process.ts'
import { SERVICE } from '../support/service-process.ts'

/** From nothing to a listening service with its embedded database. */
export const startCase: BenchmarkCase = {
  name: 'start',
  summary: 'the start of the service with its embedded database, until it listens',
  rows: 1,
  run: ({ runs }) =>
    inFolder(async (folder) => {
      const used = join(folder, 'used')
      const fresh = join(folder, 'fresh')
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
              const server = await listeningProcess(SERVICE, { DATA_DIR: used })
              await server.kill()
            },
            run: () => start(used),
          },
          bare: { name: 'Node, and nothing else', run: startNode },
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
            what: 'times as long as Node alone, on an initialised data folder',
            found: median(results.initialised.samples) / median(results.bare.samples),
            atMost: 40,
          },
          {
            what: 'seconds after kill -9',
            found: median(results.killed.samples),
            atMost: 5,
          },
        ],
        caveats: [
          'The first start makes the database, migrates it and fills the demo world.',
          'Counted from the spawning of `node src/start.js`; `npm start` adds the start of npm.',
        ],
      }
    }),
}

async function startNode(): Promise<Measured> {
  const { ms } = await measureProgram(process.execPath, ['--eval', ''])
  return { ms, peakRssBytes: null }
}

async function start(dataDir: string): Promise<Measured> {
  await using server = await listeningProcess(SERVICE, { DATA_DIR: dataDir })
  return { ms: server.startedInMs, peakRssBytes: null }
}
