import type { BenchmarkCase, BenchmarkOptions, BenchmarkResult } from '../benchmark.ts'
import { type Measured, measureScript } from '../support/measure.ts'
import { benchmarkServer } from '../support/server.ts'
import { type Simulator, startSimulator } from '../support/simulator.ts'

const DRAIN = new URL('connector-drain.ts', import.meta.url)
const LOAD = new URL('connector-load.ts', import.meta.url)

/** A form into a typed table, beside reading the same form with plain fetches. */
export const connectorCase: BenchmarkCase = {
  name: 'connector',
  summary: 'a form through the connector into a table, against draining it with plain fetches',
  rows: 200_000,
  async run({ rows, runs, databaseUrl }: BenchmarkOptions): Promise<BenchmarkResult> {
    await using server = await benchmarkServer(databaseUrl)
    const load = (simulator: Simulator, count: number) =>
      measureScript(LOAD, [
        simulator.url,
        simulator.apiKey,
        simulator.form,
        String(count),
        server.url,
        'connector_bench',
      ])
    const samples = await compare(rows, runs, load)
    const larger = await loadThreefold(rows, load)
    const peak = peakOf(samples.load)
    return {
      input: `${rows.toLocaleString('en')} responses of one form, from the simulator on loopback`,
      rows,
      bytes: null,
      contenders: [
        contender('connector and engine, into a table', samples.load),
        contender('plain fetches, thrown away', samples.drain),
      ],
      figures: [
        {
          what: 'of the rate of plain fetches',
          found: median(samples.drain) / median(samples.load),
          atLeast: 0.8,
        },
        {
          what: 'of the memory for three times the responses',
          found: (larger.peakRssBytes ?? 0) / peak,
          atMost: 1.15,
        },
      ],
      caveats: [
        'Simulator, loader and PostgreSQL share the cores; the plain fetches share them with the simulator alone.',
        'Each run is a process of its own and begins with its start of the work, not of Node.',
      ],
    }
  },
}

type Load = (simulator: Simulator, count: number) => Promise<Measured>

async function compare(rows: number, runs: number, load: Load) {
  await using simulator = await startSimulator(rows)
  const drain: Measured[] = []
  const loaded: Measured[] = []
  // In turns, so that what the machine does besides strikes both alike.
  for (let run = 0; run < runs; run++) {
    const { url, apiKey, form } = simulator
    drain.push(await measureScript(DRAIN, [url, apiKey, form, String(rows)]))
    loaded.push(await load(simulator, rows))
  }
  return { drain, load: loaded }
}

async function loadThreefold(rows: number, load: Load): Promise<Measured> {
  await using simulator = await startSimulator(rows * 3)
  return await load(simulator, rows * 3)
}

const peakOf = (runs: readonly Measured[]) =>
  Math.max(...runs.map(({ peakRssBytes }) => peakRssBytes ?? 0))

const contender = (name: string, runs: readonly Measured[]) => ({
  name,
  unit: 's' as const,
  samples: runs.map(({ ms }) => ms / 1000),
  peakRssBytes: peakOf(runs),
})

function median(runs: readonly Measured[]): number {
  const sorted = runs.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
