import { EngineError } from '../../../pipelines/core/errors.ts'

/** The error of the engine that this ends with; anything else fails the test. */
export async function refusal(work: Promise<unknown>): Promise<EngineError> {
  try {
    await work
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('Nothing was refused')
}
