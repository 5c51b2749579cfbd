import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

import { EngineError } from '../../pipelines/index.ts'
import { translateDatabaseError } from '../db/database-errors.ts'
import type { StopRequest } from '../stop-request.ts'
import { FolderError } from '../folders.ts'
import { CliError } from './cli-error.ts'

/** Says on standard error, as JSON, what is wrong; the exit code to end with. */
export function complain(error: unknown, stderr: NodeJS.WritableStream, stop: StopRequest): number {
  if (stop.exitCode !== null) {
    stderr.write(`${JSON.stringify({ message: 'Interrupted: nothing was loaded' })}\n`)
    return stop.exitCode
  }
  stderr.write(`${JSON.stringify(described(error))}\n`)
  return 1
}

function described(error: unknown): object {
  if (error instanceof EngineError) return { message: error.message, problem: error.problem }
  if (error instanceof CliError || error instanceof FolderError) return { message: error.message }
  const temporary = temporaryFolderError(error)
  if (temporary !== null) return { message: temporary.message }
  const known = translateDatabaseError(error)
  if (!(known instanceof Error)) return { message: String(known) }
  const reason = known.cause instanceof Error ? `: ${known.cause.message}` : ''
  return { message: `${known.message.replace(/\.$/, '')}${reason}` }
}

/** The engine met a folder for temporary files in which it cannot make any. */
function temporaryFolderError(error: unknown): FolderError | null {
  const { syscall, path } = error as NodeJS.ErrnoException
  const isTemporary = syscall === 'open' && path !== undefined && dirname(path) === tmpdir()
  return isTemporary ? new FolderError(tmpdir(), 'TMPDIR', error) : null
}
