import { InternalServerErrorException, Problem } from './index.ts'

/** Translates what the rooms below throw; what nobody foresaw is a 500 that says nothing. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new InternalServerErrorException(undefined, { cause: error })
}
