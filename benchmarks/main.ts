import { parseArgs } from 'node:util'

import { CONTESTS } from './cases/contests.ts'
import { csvCase } from './cases/csv.ts'
import { contestCase } from './support/run-contest.ts'

/** Every case prints its own table, and answers whether it reached its figures. */
export interface BenchmarkCase {
  readonly name: string
  readonly summary: string
  run(options: BenchmarkOptions): Promise<boolean>
}

export interface BenchmarkOptions {
  /** Unless the case is to choose. */
  readonly rows?: number
  readonly runs: number
  /** Where the tables go; null: an embedded server, made for the occasion. */
  readonly databaseUrl: string | null
}

const CASES: readonly BenchmarkCase[] = [csvCase, ...CONTESTS.map(contestCase)]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    runs: { type: 'string', default: '5' },
    'database-url': { type: 'string' },
  },
})

const chosen = CASES.filter(({ name }) => positionals.includes(name))
if (chosen.length === 0) {
  const list = CASES.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}\n`).join('')
  process.stderr.write(
    `npm run bench -- <case> [--rows N] [--runs N] [--database-url URL]\n${list}`,
  )
  process.exitCode = 1
}

for (const benchmark of chosen) {
  const reached = await benchmark.run({
    ...(values.rows === undefined ? {} : { rows: Number(values.rows) }),
    runs: Number(values.runs),
    databaseUrl: values['database-url'] ?? process.env['BENCH_DATABASE_URL'] ?? null,
  })
  if (!reached) process.exitCode = 1
}
