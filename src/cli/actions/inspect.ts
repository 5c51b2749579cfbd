import { tmpdir } from 'node:os'

import type { Command } from 'commander'

import type { IngestOptions, Preview } from '../../../pipelines/index.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { openFile } from '../file-source.ts'
import { jsonInWords } from '../json-in-words.ts'
import { parseIngestOptions } from '../ingest-options.ts'
import type { CommonFlags } from '../common-flags.ts'

const ROWS_SHOWN = 5

interface InspectFlags {
  readonly json: boolean
  readonly options?: string
}

export async function run(
  stop: StopRequest,
  file: string,
  { json, options }: InspectFlags,
  command: Command,
): Promise<void> {
  const signal = stop.stopInOrder()
  try {
    const preview = await previewFile(file, await parseIngestOptions(options), signal)
    process.stdout.write(
      json
        ? `${await asJson(preview)}\n`
        : (await import('../describe-preview.ts')).describePreview(preview),
    )
  } catch (error) {
    const { complainAsJson } = await import('../complain.ts')
    process.exitCode = await complainAsJson(error, stop, {
      ...command.optsWithGlobals<CommonFlags>(),
      interrupted: 'Interrupted',
    })
  }
}

async function previewFile(
  file: string,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Preview> {
  await using input = await openFile(file, process.stdin, signal)
  // A missing file is reported without loading the engine.
  const { createEngine } = await import('../../../pipelines/index.ts')
  return await createEngine({ tempDir: tmpdir() }).preview(input.source, options, {
    limit: ROWS_SHOWN,
    signal,
  })
}

/** The cells are JSON already and are copied as they are, so that numbers keep every digit. */
async function asJson({ rows, ...rest }: Preview): Promise<string> {
  const cells = rows.map((row) => `[${row.map((cell) => cell ?? 'null').join(',')}]`)
  return `${(await jsonInWords(rest)).slice(0, -1)},"rows":[${cells.join(',')}]}`
}
