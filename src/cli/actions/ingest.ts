import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { CliError } from '../cli-error.ts'
import { checkFiles } from '../file-source.ts'
import { jsonInWords } from '../json-in-words.ts'
import { parseIngestOptions } from '../ingest-options.ts'
import type { CommonFlags } from '../common-flags.ts'
import type { LoadFlags, Telling } from '../load-files.ts'

interface IngestFlags extends LoadFlags {
  readonly options?: string
  readonly json: boolean
}

export async function run(
  stop: StopRequest,
  files: readonly string[],
  flags: IngestFlags,
  command: Command,
): Promise<void> {
  const signal = stop.stopInOrder()
  const asText = process.stdout.isTTY && !flags.json
  const begun: string[] = []
  let loaded = 0
  try {
    await checkAndLoad(files, flags, signal, {
      begin: (file) => begun.push(file),
      tell: async (load) => {
        const { describeLoad } = await import('../describe-load.ts')
        process.stdout.write(asText ? describeLoad(load) : `${await jsonInWords(load)}\n`)
        loaded += 1
      },
    })
  } catch (error) {
    const { complainAsJson } = await import('../complain.ts')
    process.exitCode = await complainAsJson(error, stop, {
      ...command.optsWithGlobals<CommonFlags>(),
      ...(files.length > 1 && begun.length > 0 && { file: begun.at(-1)! }),
      interrupted: interruptedAfter(loaded, files.length),
    })
  }
}

function interruptedAfter(loaded: number, files: number): string {
  if (loaded === 0) return 'Interrupted: nothing was loaded'
  return `Interrupted: ${loaded} of ${files} files were loaded, and nothing of the others`
}

/** Wrong arguments are reported before the engine is loaded. */
async function checkAndLoad(
  files: readonly string[],
  { options: text, ...flags }: IngestFlags,
  signal: AbortSignal,
  telling: Telling,
): Promise<void> {
  if (flags.table === undefined && flags.into === undefined) {
    throw new CliError('Name the table to fill: --table, or --into for one of your own')
  }
  if (flags.into === undefined && flags.shape === undefined && flags.map.length > 0) {
    throw new CliError('--map maps headers to columns: use it with --into or --shape')
  }
  const options = await parseIngestOptions(text)
  await checkFiles(files)
  const { loadFiles } = await import('../load-files.ts')
  await loadFiles(files, flags, options, signal, telling)
}
