import { type Measured, type Result, summary } from './measure.ts'

export interface Contender {
  /** Makes room before the clock starts. */
  prepare(): Promise<void>
  run(): Promise<Measured>
}

/** In turns, so that what the machine does besides strikes all of them alike. */
export async function inTurns<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  runs: number,
): Promise<Record<Name, Result>> {
  const measured = mapValues(contenders, (): Measured[] => [])
  for (let run = 0; run < runs; run++) {
    for (const name of Object.keys(contenders) as Name[]) {
      await contenders[name].prepare()
      measured[name].push(await contenders[name].run())
    }
  }
  return mapValues(measured, summary)
}

export function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  map: (value: From) => To,
): Record<Name, To> {
  const entries = Object.entries(record) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value)])) as Record<Name, To>
}
