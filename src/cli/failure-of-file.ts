import { Catalogue, EngineError } from '../../pipelines/index.ts'
import { GivenTableError } from './tables/given-table-error.ts'
import { causeOf } from './cause-of.ts'
import { describeMisfits } from './describe-misfits.ts'
import { EXIT } from './exit-codes.ts'
import type { CommandFailure } from './failure.ts'
import { RemoteFileError } from './remote-file.ts'
import { remedyLine, section } from './terminal-text.ts'

/**
 * What is wrong with a file, or with the user's own table that it goes into; null if the cause is
 * another one.
 */
export function failureOfFile(error: unknown): CommandFailure | null {
  const remote = causeOf(error, RemoteFileError)
  if (remote !== null) return { exitCode: EXIT.connection, message: remote.message }
  const own = causeOf(error, GivenTableError)
  if (own !== null) return { exitCode: EXIT.data, message: own.message }
  if (!(error instanceof EngineError)) return null
  const remedies = error.remedies ?? []
  const problem = Catalogue.empty.sayAll({ ...error.problem, remedies }, 'en')
  const wayOut = section('What would help', remedies.map(remedyLine)).trimEnd()
  const exitCode = error.problem.kind === 'options' ? EXIT.usage : EXIT.data
  const { message } = error
  const { problem: told } = error
  const misfits = told.kind === 'cells' ? told : told.kind === 'structure' ? told.all : undefined
  const what = misfits === undefined ? message : describeMisfits(misfits.errors, misfits.total)
  const atLength = wayOut === '' ? what : `${what}\n${wayOut}`
  return { exitCode, message, atLength, problem }
}
