import { tmpdir } from 'node:os'

import type { Command } from 'commander'

import type {
  Expectation,
  IngestOptions,
  Judgement,
  OverRows,
  TargetColumns,
} from '../../../pipelines/index.ts'
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
}

export async function run(
  stop: StopRequest,
  file: string,
  { json, options, shape }: CheckFlags,
  command: Command,
): Promise<void> {
  const signal = stop.stopInOrder()
  try {
    const expected = await expectationIn(shape)
    const judgement = await judge(file, expected, await parseIngestOptions(options), signal)
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

async function expectationIn(path: string | undefined): Promise<Expectation | null> {
  if (path === undefined) return null
  const { readShape } = await import('../shape-file.ts')
  const { expectationOfShape } = await import('../../stack/fill/target-columns.ts')
  return expectationOfShape({ shape: await readShape(path), given: {} })
}

async function judge(
  file: string,
  expectation: Expectation | null,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  await using input = await openFile(file, process.stdin, signal)
  const { createEngine } = await import('../../../pipelines/index.ts')
  const engine = createEngine({ tempDir: tmpdir() })
  const columns: TargetColumns =
    expectation === null ? { kind: 'any' } : { kind: 'expected', expectation }
  // Broken rows are counted with everything else, in the place of the first of them alone.
  const skipping = { ...options, onInvalid: 'skip' as const }
  await using intake = await engine.open(input.source, skipping, { columns, key: null, signal })
  return await intake.judge(options, expectation === null ? null : await over(expectation))
}

async function over(expectation: Expectation): Promise<OverRows | null> {
  const { overFile } = await import('../../stack/judge-checked.ts')
  return overFile(expectation, tmpdir())
}
