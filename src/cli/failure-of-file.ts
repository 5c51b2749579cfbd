import { Catalogue, EngineError } from '../../pipelines/index.ts'
import { GivenTableError } from './tables/given-table-error.ts'
import { causeOf } from './cause-of.ts'
import { describeMisfits } from './describe-misfits.ts'
import { EXIT } from './exit-codes.ts'
import type { CommandFailure } from './failure.ts'
import { RemoteFileError } from './remote-file.ts'

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
  const problem = Catalogue.empty.sayAll(error.problem, 'en')
  const exitCode = error.problem.kind === 'options' ? EXIT.usage : EXIT.data
  const { message } = error
  if (error.problem.kind !== 'cells') return { exitCode, message, problem }
  const { errors, total } = error.problem
  return { exitCode, message, atLength: describeMisfits(errors, total), problem }
}
