import { parseArgs } from 'node:util'

import { CliError } from '../src/cli/cli-error.ts'
import { EXIT } from '../src/cli/exit-codes.ts'
import { failureOf } from '../src/cli/failure-of.ts'
import { parseIngestOptions } from '../src/cli/ingest-options.ts'
import { postgresAddress } from '../src/cli/postgres-address.ts'
import { type BenchmarkCase, isReached } from './benchmark.ts'
import { chooseCases } from './cases/choose-cases.ts'
import { CASES } from './cases/index.ts'
import { compareRuns } from './report/compare.ts'
import { contenderTable, figureTable } from './report/describe-case.ts'
import { describeMachine, mergeCases, readRun, type RecordedCase } from './report/recorded-run.ts'
import { readLatest, writeReport } from './report/write-report.ts'
import { endInOrder, interruptedWith } from './support/interruption.ts'
import { ScriptError } from './support/measure.ts'
import { printTable } from './support/print-table.ts'
import { sayOnTerminal } from './support/say-on-terminal.ts'

const USAGE = `npm run bench                       all cases but cluster; writes benchmarks/RESULTS.md
npm run bench -- CASE...            some of them; prints only. \`json\` is two of them
npm run bench -- ingest FILE        a file of yours, into a schema that is dropped again
npm run bench -- outline FOLDER...  sheets of yours with labels, as in test/fixtures/sheets
npm run bench -- shapes FOLDER...   mappings that people published, as OpenAddresses writes them

  --rows N              rows, documents or requests; else the size of the case
  --runs N              runs of each contender; else 5
  --options JSON        what is known about the file, for ingest
  --database-url URL    PostgreSQL to use; else an embedded one, made for the occasion
  --write               keep what was measured in RESULTS.md, beside the other cases
  --compare FILE        compare with an earlier run: a copy of benchmarks/results/latest.json

Cases:
${CASES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}\n`).join('')}`

const { values, positionals } = readCommandLine()

endInOrder()
if (values.help) process.stdout.write(USAGE)
else process.exitCode = await run()

/** The exit code, as the command line has it. */
async function run(): Promise<number> {
  try {
    return await measureAll(chooseCases(positionals))
  } catch (error) {
    const interrupted = interruptedWith()
    if (interrupted !== null) return interrupted
    if (error instanceof ScriptError) return error.exitCode
    const { exitCode, message, stack } = await failureOf(error)
    process.stderr.write(`${stack ?? message}\n`)
    return exitCode
  }
}

async function measureAll(cases: readonly BenchmarkCase[]): Promise<number> {
  if (values.options !== undefined && positionals[0] !== 'ingest') {
    throw new CliError('--options goes with ingest FILE')
  }
  // Read before anything is written: it may be the very file that is.
  const earlier = values.compare === undefined ? null : readRun(values.compare)
  const measured: RecordedCase[] = []
  const isKept = values.write || positionals.length === 0
  for (const benchmark of cases) {
    measured.push(await measure(benchmark))
    // After each: what hours have measured is not lost where a later case fails.
    if (isKept) keep(measured)
  }
  const isSlower = earlier !== null && compare(earlier.cases, measured)
  return isSlower || measured.some(({ figures }) => !figures.every(isReached))
    ? EXIT.fault
    : EXIT.done
}

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rows: { type: 'string' },
        runs: { type: 'string', default: '5' },
        'database-url': { type: 'string' },
        write: { type: 'boolean', default: false },
        options: { type: 'string' },
        compare: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(EXIT.usage)
  }
}

async function measure(benchmark: BenchmarkCase): Promise<RecordedCase> {
  const { rows, runs } = values
  sayOnTerminal(`${benchmark.name}: ${benchmark.summary}`)
  const result = await benchmark.run({
    rows: rows === undefined ? benchmark.rows : countOf('--rows', rows),
    runs: countOf('--runs', runs),
    options: await parseIngestOptions(values.options),
    databaseUrl: databaseUrl(),
  })
  process.stdout.write(`\n${benchmark.name}: ${result.input}; ${values.runs} runs\n\n`)
  printTable(contenderTable(result))
  if (result.figures.length > 0) {
    process.stdout.write('\n')
    printTable(figureTable(result.figures))
  }
  const { name, summary } = benchmark
  const measuredAt = new Date().toISOString()
  return { name, summary, measuredAt, machine: describeMachine(), ...result }
}

function databaseUrl(): string | null {
  const url = values['database-url'] ?? process.env['BENCH_DATABASE_URL']
  return url === undefined ? null : postgresAddress(url, '--database-url, or BENCH_DATABASE_URL,')
}

function countOf(flag: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new CliError(`${flag} takes a whole number from 1 on`)
  return Number(text)
}

function keep(measured: readonly RecordedCase[]): void {
  const order = CASES.map(({ name }) => name)
  writeReport(mergeCases(readLatest(), measured, order))
  process.stdout.write('\nWritten to benchmarks/RESULTS.md\n')
}

/** Whether anything has become slower. */
function compare(earlier: readonly RecordedCase[], measured: readonly RecordedCase[]): boolean {
  const { table, slower } = compareRuns(earlier, measured)
  process.stdout.write('\n')
  printTable(table)
  return slower > 0
}
