import { tmpdir } from 'node:os'

import type { Command } from 'commander'

import type { IngestOptions, Judgement, TargetColumns } from '../../../pipelines/index.ts'
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
    const columns = await columnsOf(shape)
    const judgement = await judge(file, columns, await parseIngestOptions(options), signal)
    const valid = judgement.totalErrors === 0
    process.stdout.write(
      json
        ? `${await jsonInWords({ valid, ...judgement })}\n`
        : (await import('../describe-judgement.ts')).describeJudgement(judgement),
    )
    process.exitCode = valid ? EXIT.done : EXIT.usage
  } catch (error) {
    const { complainAsJson } = await import('../complain.ts')
    process.exitCode = await complainAsJson(error, stop, {
      ...command.optsWithGlobals<CommonFlags>(),
      interrupted: 'Interrupted',
    })
  }
}

async function columnsOf(path: string | undefined): Promise<TargetColumns> {
  if (path === undefined) return { kind: 'any' }
  const { readShape } = await import('../shape-file.ts')
  const { expectationOfShape } = await import('../../stack/fill/target-columns.ts')
  const expectation = expectationOfShape({ shape: await readShape(path), given: {} })
  return { kind: 'expected', expectation }
}

async function judge(
  file: string,
  columns: TargetColumns,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  await using input = await openFile(file, process.stdin, signal)
  const { createEngine } = await import('../../../pipelines/index.ts')
  const engine = createEngine({ tempDir: tmpdir() })
  const control = { columns, key: null, signal }
  // Broken rows are counted with everything else, in the place of the first of them alone.
  const skipping = { ...options, onInvalid: 'skip' as const }
  await using intake = await engine.open(input.source, skipping, control)
  return await intake.judge(options, null)
}
