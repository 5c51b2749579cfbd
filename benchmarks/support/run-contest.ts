import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type BenchmarkCase, timesAsFast } from '../benchmark.ts'
import type { Contest } from '../cases/contests.ts'
import { inTurns } from './in-turns.ts'
import { measureScript } from './measure.ts'
import { benchmarkServer } from './server.ts'

const MiB = 1024 * 1024
const CONTENDER = new URL('run-contender.ts', import.meta.url)

/** A contest as a case: the engine has to be the fastest. */
export function contestCase(contest: Contest): BenchmarkCase {
  return {
    name: contest.name,
    summary: contest.contenders.map(({ name }) => name).join(' against '),
    rows: contest.rows,
    async run({ rows, runs, databaseUrl }) {
      const folder = await mkdtemp(join(tmpdir(), 'bench-'))
      try {
        const path = await contest.prepare(folder, rows)
        await using server = await benchmarkServer(databaseUrl)
        const bytes = (await stat(path)).size
        const entries = contest.contenders.map(({ name }, index) => {
          const given = [contest.name, name, path, folder, server.url, String(rows)]
          const run = () => measureScript(CONTENDER, given)
          return [name, { name, isOurs: index === 0, run }] as const
        })
        const contenders = Object.values(await inTurns(Object.fromEntries(entries), runs))
        const [engine, ...others] = contenders
        return {
          input: `${rows.toLocaleString('en')} rows, ${(bytes / MiB).toFixed(0)} MiB`,
          rows,
          bytes,
          contenders,
          figures: others.map((other) => ({
            what: `times as fast as ${other.name}`,
            found: timesAsFast(engine!, other),
            atLeast: 1,
          })),
          caveats: ['Each contender loads into PostgreSQL, in a process of its own.'],
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  }
}
