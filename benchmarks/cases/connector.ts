import {
  type BenchmarkCase,
  type BenchmarkOptions,
  type BenchmarkResult,
  timesAsFast,
} from '../benchmark.ts'
import { inTurns } from '../support/in-turns.ts'
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
    const { drain, loaded } = await compare(rows, runs, load)
    const larger = await loadThreefold(rows, load)
    return {
      input: `${rows.toLocaleString('en')} responses of one form, from the simulator on loopback`,
      rows,
      bytes: null,
      contenders: [loaded, drain],
      figures: [
        { what: 'of the rate of plain fetches', found: timesAsFast(loaded, drain), atLeast: 0.8 },
        {
          what: 'of the memory for three times the responses',
          found: (larger.peakRssBytes ?? 0) / (loaded.peakRssBytes ?? 0),
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
  const { url, apiKey, form } = simulator
  return await inTurns(
    {
      drain: {
        name: 'plain fetches, thrown away',
        run: () => measureScript(DRAIN, [url, apiKey, form, String(rows)]),
      },
      loaded: {
        name: 'connector and engine, into a table',
        isOurs: true,
        run: () => load(simulator, rows),
      },
    },
    runs,
  )
}

async function loadThreefold(rows: number, load: Load): Promise<Measured> {
  await using simulator = await startSimulator(rows * 3)
  return await load(simulator, rows * 3)
}
