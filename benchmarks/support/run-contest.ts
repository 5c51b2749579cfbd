import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { MiB } from '../../pipelines/index.ts'
import {
  type BenchmarkCase,
  type BenchmarkOptions,
  type BenchmarkResult,
  type Figure,
  timesAsFast,
} from '../benchmark.ts'
import type { Contest } from './contest.ts'
import { inFolder } from './in-folder.ts'
import { type Contender, inTurns } from './in-turns.ts'
import { loadByEngine } from './load-by-engine.ts'
import { measureScript } from './measure.ts'
import { benchmarkServer } from './server.ts'

const RIVAL = new URL('run-rival.ts', import.meta.url)
/** Of the memory for a tenth of the rows. */
const FLAT = 1.15
const MOST_LONG_RUNS = 3

/** A contest as a case: the engine against what one would write without it. */
export function contestCase(contest: Contest): BenchmarkCase {
  return {
    name: contest.name,
    summary: `the engine against ${contest.rival.name}`,
    rows: contest.rows,
    run: (options) =>
      inFolder(async (folder) => {
        await using server = await benchmarkServer(options.databaseUrl)
        return await hold(contest, options, { folder, url: server.url })
      }),
  }
}

interface Stand {
  readonly folder: string
  readonly url: string
}

async function hold(
  contest: Contest,
  options: BenchmarkOptions,
  stand: Stand,
): Promise<BenchmarkResult> {
  const { rows, runs } = options
  const path = await contest.prepare(stand.folder, rows)
  const bytes = (await stat(path)).size
  const { engine, rival } = await inTurns(
    { engine: engineOn(path, rows, stand), rival: rivalOn(contest, path, rows, stand) },
    runs,
  )
  return {
    input: `${rows.toLocaleString('en')} rows, ${(bytes / MiB).toFixed(0)} MiB`,
    rows,
    bytes,
    contenders: [engine, rival],
    figures: [
      {
        what: `times as fast as ${rival.name}`,
        found: timesAsFast(engine, rival),
        atLeast: contest.timesAsFast,
      },
      ...(contest.peakMiB === undefined
        ? []
        : [
            {
              what: 'MiB of memory at its peak',
              found: (engine.peakRssBytes ?? 0) / MiB,
              atMost: contest.peakMiB,
            },
          ]),
      await flatness(contest, options, stand),
    ],
    caveats: [
      'Each contender loads into PostgreSQL, in a process of its own.',
      ...(contest.caveats ?? []),
    ],
  }
}

/**
 * The engine's peak beside that for a tenth of the rows, as many of them as one file can hold. V8
 * lets single runs differ by a fifth, so it is the highest of several that counts, as elsewhere.
 */
async function flatness(
  contest: Contest,
  { rows, runs }: BenchmarkOptions,
  { folder, url }: Stand,
): Promise<Figure> {
  const most = Math.min(rows * 10, contest.mostRows ?? Number.POSITIVE_INFINITY)
  const engineFor = async (count: number): Promise<Contender> => {
    const inside = join(folder, String(count))
    await mkdir(inside)
    return engineOn(await contest.prepare(inside, count), count, { folder: inside, url })
  }
  const tenth = Math.floor(most / 10)
  const { short, long } = await inTurns(
    { short: await engineFor(tenth), long: await engineFor(most) },
    Math.min(runs, MOST_LONG_RUNS),
  )
  return {
    what: `of the memory for ${tenth.toLocaleString('en')} rows, for ${most.toLocaleString('en')}`,
    found: (long.peakRssBytes ?? 0) / (short.peakRssBytes ?? 0),
    atMost: FLAT,
  }
}

// Each is a process of its own, and the engine's knows nothing of the other's libraries.

function engineOn(path: string, expectedRows: number, { url }: Stand): Contender {
  const load = { path, url, schema: 'public', table: 'contest_engine', expectedRows }
  return { name: 'engine', isOurs: true, run: () => loadByEngine(load) }
}

function rivalOn(
  { name, rival }: Contest,
  path: string,
  rows: number,
  { folder, url }: Stand,
): Contender {
  const given = [name, path, folder, url, String(rows)]
  return { name: rival.name, run: () => measureScript(RIVAL, given) }
}
