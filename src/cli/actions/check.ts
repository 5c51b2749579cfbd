import { tmpdir } from 'node:os'

import type { Command } from 'commander'

import type { IngestOptions, Judgement, OverRows, TargetColumns } from '../../../pipelines/index.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import type { CommonFlags } from '../common-flags.ts'
import { EXIT } from '../exit-codes.ts'
import { openFile } from '../file-source.ts'
import { parseIngestOptions } from '../ingest-options.ts'
import { jsonInWords } from '../json-in-words.ts'

interface CheckFlags {
  readonly json: boolean
  readonly options?: string
  readonly shape?: string
  readonly databaseUrl?: string
}

export async function run(
  stop: StopRequest,
  file: string,
  { json, options, shape: path, databaseUrl }: CheckFlags,
  command: Command,
): Promise<void> {
  const signal = stop.stopInOrder()
  try {
    const shape = path === undefined ? null : await readAs(path)
    const wanted = await parseIngestOptions(options)
    const judgement = await judge(file, shape, wanted, { databaseUrl, signal })
    process.stdout.write(
      json
        ? `${await jsonInWords((await import('../../http/presenters/present-check.ts')).presentCheck(judgement))}\n`
        : (await import('../describe-judgement.ts')).describeJudgement(judgement),
    )
    process.exitCode = judgement.totalErrors === 0 ? EXIT.done : EXIT.usage
  } catch (error) {
    const { complainAsJson } = await import('../complain.ts')
    process.exitCode = await complainAsJson(error, stop, {
      ...command.optsWithGlobals<CommonFlags>(),
      interrupted: 'Interrupted',
    })
  }
}

async function readAs(path: string) {
  const { readShape } = await import('../shape-file.ts')
  const { expectationOfShape } = await import('../../stack/fill/target-columns.ts')
  const shape = await readShape(path)
  return { shape, expectation: expectationOfShape({ shape, given: {} }) }
}

type ReadShape = Awaited<ReturnType<typeof readAs>>

async function judge(
  file: string,
  expected: ReadShape | null,
  options: IngestOptions,
  {
    databaseUrl,
    signal,
  }: { readonly databaseUrl: string | undefined; readonly signal: AbortSignal },
): Promise<Judgement> {
  await using input = await openFile(file, process.stdin, signal)
  const { createEngine } = await import('../../../pipelines/index.ts')
  const engine = createEngine({ tempDir: tmpdir() })
  const columns: TargetColumns =
    expected === null ? { kind: 'any' } : { kind: 'expected', expectation: expected.expectation }
  // Broken rows are counted with everything else, in the place of the first of them alone.
  const skipping = { ...options, onInvalid: 'skip' as const }
  await using opened = new AsyncDisposableStack()
  const over = expected === null ? null : await overRowsOf(expected, databaseUrl, opened, signal)
  await using intake = await engine.open(input.source, skipping, { columns, key: null, signal })
  return await intake.judge(options, over)
}

/** A database is opened only where a rule looks into one of its sources. */
async function overRowsOf(
  { shape, expectation }: ReadShape,
  given: string | undefined,
  opened: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<OverRows | null> {
  const { overFile, overRows, rulesOverRows } = await import('../../stack/judge-checked.ts')
  const { namedDatabase } = await import('../load-database.ts')
  const looksUp = rulesOverRows(expectation).some(({ rule }) => 'in' in rule)
  const url = looksUp ? namedDatabase(given) : null
  if (url === null) return overFile(expectation, tmpdir())
  const { createPool } = await import('../../db/pool.ts')
  const { lookedInto } = await import('../shape-file.ts')
  const { connectTo, withConnection } = await import('../tables/load-table.ts')
  const pool = opened.adopt(createPool(url, { max: 2 }), (open) => open.end())
  const connect = connectTo(pool)
  const enterpriseId = await withConnection(connect, lookedInto(shape))
  const place = () => ({ connect, [Symbol.dispose]: () => undefined })
  return opened.use(await overRows({ place }, { enterpriseId, expectation, into: null }, signal))
}
