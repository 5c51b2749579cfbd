import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { createEngine, EngineError } from '../../pipelines/index.ts'
import type { Figure } from '../benchmark.ts'
import { type Innocent, innocent, randomFrom } from './innocents.ts'

const TABLES = 10_000
const SEED = 2026

/** What is seen wrongly in a table that is right as it stands; null if nothing is. */
export async function faultIn(
  engine: ReturnType<typeof createEngine>,
  { text, names, rows }: Innocent,
): Promise<string | null> {
  const open = async () => Readable.from([Buffer.from(text)])
  const { signal } = new AbortController()
  try {
    const seen = await engine.preview(
      { kind: 'bytes', name: 'table.csv', open },
      { onInvalid: 'skip' },
      { limit: 100, signal },
    )
    const header = seen.table!.header.rows
    const isHeaderRight = names === null ? header.length === 0 : header.join() === '1'
    if (!isHeaderRight) return `header in lines ${header.join()}`
    if (seen.rows.length !== rows) return `${seen.rows.length} rows of ${rows}`
    const columns = names?.length ?? seen.columns.length
    return seen.columns.length === columns ? null : `${seen.columns.length} columns of ${columns}`
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}

/** How many of many generated tables are right, in per cent; with a header, none may be wrong. */
export async function figuresOfInnocents(): Promise<Figure[]> {
  const engine = createEngine({ tempDir: tmpdir() })
  const random = randomFrom(SEED)
  const told = { header: { all: 0, right: 0 }, none: { all: 0, right: 0 } }
  for (let at = 0; at < TABLES; at += 1) {
    const table = innocent(random)
    const of = table.names === null ? told.none : told.header
    of.all += 1
    if ((await faultIn(engine, table)) === null) of.right += 1
  }
  const share = ({ all, right }: { all: number; right: number }) => (100 * right) / all
  return [
    {
      what: `innocents: ${told.header.all} with a header`,
      found: share(told.header),
      atLeast: 99.9,
    },
    { what: `innocents: ${told.none.all} without one`, found: share(told.none), atLeast: 95 },
  ]
}
