import { EngineError } from '../../../../pipelines/index.ts'
import { SourceOptionsInvalidException } from '../../../errors/index.ts'
import { remediesOf } from '../../../errors/to-problem.ts'

/**
 * The engine says which of its options is wrong, including `mode` and `key`. In the body of a
 * request, the other options are in a member next to these two.
 */
export function pointedIntoBody(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.problem.kind !== 'options') return error
  const { text } = error
  const pointer = memberOf(error.problem.pointer)
  return new SourceOptionsInvalidException(text, {
    errors: [{ pointer, message: text }],
    members: remediesOf(error),
    cause: error,
  })
}

function memberOf(pointer: string): string {
  if (pointer === '/mode' || pointer.startsWith('/mapping')) return pointer
  return pointer === '/mode/key' ? '/key' : `/options${pointer}`
}
