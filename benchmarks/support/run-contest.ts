import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Contest } from '../cases/contests.ts'
import type { BenchmarkCase } from '../main.ts'
import { inTurns } from './in-turns.ts'
import { measureScript } from './measure.ts'
import { printTable } from './print-table.ts'
import { benchmarkServer } from './server.ts'

const MiB = 1024 * 1024
const CONTENDER = new URL('run-contender.ts', import.meta.url)

/** A contest as a case: reached when the engine is the fastest. */
export function contestCase(contest: Contest): BenchmarkCase {
  return {
    name: contest.name,
    summary: contest.contenders.map(({ name }) => name).join(' against '),
    async run({ rows = contest.rows, runs, databaseUrl }) {
      const folder = await mkdtemp(join(tmpdir(), 'bench-'))
      try {
        const path = await contest.prepare(folder, rows)
        await using server = await benchmarkServer(databaseUrl)
        const { size } = await stat(path)
        process.stdout.write(`${rows} rows, ${(size / MiB).toFixed(0)} MiB; median of ${runs}\n\n`)
        const results = await inTurns(
          Object.fromEntries(
            contest.contenders.map(({ name }) => [
              name,
              {
                prepare: async () => undefined,
                run: () =>
                  measureScript(CONTENDER, [
                    contest.name,
                    name,
                    path,
                    folder,
                    server.url,
                    String(rows),
                  ]),
              },
            ]),
          ),
          runs,
        )
        const all = Object.entries(results)
        const engine = all[0]![1]
        printTable(
          ['', 'time', 'rows/s', 'peak memory', 'against the engine'],
          all.map(([name, { ms, peakRssBytes }]) => [
            name,
            `${(ms / 1000).toFixed(2)} s`,
            Math.round((rows * 1000) / ms).toLocaleString('en'),
            `${((peakRssBytes ?? 0) / MiB).toFixed(0)} MiB`,
            (ms / engine.ms).toFixed(2),
          ]),
        )
        return all.every(([, { ms }]) => ms >= engine.ms)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  }
}
