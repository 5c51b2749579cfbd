import type { MeasuredContender } from '../benchmark.ts'
import { interruption } from './interruption.ts'
import type { Measured } from './measure.ts'
import { sayOnTerminal } from './say-on-terminal.ts'

export interface Contender {
  readonly name: string
  readonly isOurs?: boolean
  /** Where one run takes long; else as many as are asked for. */
  readonly mostRuns?: number
  /** Makes room before the clock starts. */
  prepare?(): Promise<void>
  run(): Promise<Measured>
}

/** In turns, so that what the machine does besides strikes all of them alike. */
export async function inTurns<Key extends string>(
  contenders: Readonly<Record<Key, Contender>>,
  runs: number,
): Promise<Record<Key, MeasuredContender>> {
  const measured = mapValues(contenders, (): Measured[] => [])
  for (let run = 0; run < runs; run++) {
    const inOrder = Object.keys(contenders) as Key[]
    // Whoever is second finds what the first has left to the database; so each is, by turns.
    for (const key of run % 2 === 0 ? inOrder : inOrder.toReversed()) {
      if (run >= (contenders[key].mostRuns ?? runs)) continue
      interruption.throwIfAborted()
      sayOnTerminal(`  run ${run + 1} of ${runs}: ${contenders[key].name}`)
      await contenders[key].prepare?.()
      measured[key].push(await contenders[key].run())
    }
  }
  return mapValues(measured, (all, key) => summarise(contenders[key], all))
}

function summarise(
  { name, isOurs = false }: Contender,
  runs: readonly Measured[],
): MeasuredContender {
  const peaks = runs.flatMap(({ peakRssBytes }) => peakRssBytes ?? [])
  return {
    name,
    unit: 's',
    samples: runs.map(({ ms }) => ms / 1000),
    peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
    isOurs,
  }
}

function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  map: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(record) as [Key, From][]
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<
    Key,
    To
  >
}
