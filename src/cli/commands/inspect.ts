import { tmpdir } from 'node:os'

import type { Command } from 'commander'

import { createEngine, type IngestOptions, type Preview } from '../../../pipelines/index.ts'
import type { StopRequest } from '../../stop-request.ts'
import { complain } from '../complain.ts'
import { openFile } from '../file-source.ts'
import { parseIngestOptions } from '../ingest-options.ts'
import { describePreview } from '../describe-preview.ts'

const ROWS_SHOWN = 5

interface InspectFlags {
  readonly json: boolean
  readonly options: IngestOptions
}

/** `inspect FILE`: what the engine makes of a file, and why. Loads nothing. */
export function inspect(program: Command, stop: StopRequest): void {
  program
    .command('inspect')
    .description('Show the dialect, the columns and the evidence for them; load nothing')
    .argument('<file>', 'path of the file; - reads standard input')
    .option('--json', 'print everything as one JSON document', false)
    .option('--options <json>', 'what is known about the file', parseIngestOptions, {})
    .action(async (file: string, { json, options }: InspectFlags) => {
      const signal = stop.stopInOrder()
      try {
        const preview = await previewFile(file, options, signal)
        process.stdout.write(json ? `${asJson(preview)}\n` : describePreview(preview))
      } catch (error) {
        process.exitCode = complain(error, process.stderr, stop)
      }
    })
}

async function previewFile(
  file: string,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Preview> {
  await using input = await openFile(file, process.stdin, signal)
  return await createEngine({ tempDir: tmpdir() }).preview(input.source, options, {
    limit: ROWS_SHOWN,
    signal,
  })
}

/** Cells are JSON already: written as they are, numbers keep every digit. */
function asJson({ rows, ...rest }: Preview): string {
  const cells = rows.map((row) => `[${row.map((cell) => cell ?? 'null').join(',')}]`)
  return `${JSON.stringify(rest).slice(0, -1)},"rows":[${cells.join(',')}]}`
}
