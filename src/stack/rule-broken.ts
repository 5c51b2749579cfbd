import { EngineError } from '../../pipelines/index.ts'
import { RuleBrokenException } from '../errors/index.ts'

/** Where no file is at fault, rows that break a rule are in conflict with what is there. */
export function asRuleBroken(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.problem.kind !== 'cells') return error
  const { errors, total, byRule } = error.problem
  return new RuleBrokenException(error.text, {
    errors,
    members: { totalErrors: total, byRule: [...byRule] },
    cause: error,
  })
}
