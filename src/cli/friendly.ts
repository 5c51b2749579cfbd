import { sentenceFor } from '../sentence-for.ts'
import { CliError } from './cli-error.ts'

/** Runs a command's action; what the one at the terminal can mend is told without a stack. */
export function friendly<A extends unknown[]>(action: (...given: A) => Promise<void>) {
  return async (...given: A): Promise<void> => {
    try {
      await action(...given)
    } catch (error) {
      const sentence = sentenceFor(error)
      if (sentence === null) throw error
      throw new CliError(sentence, { cause: error })
    }
  }
}
