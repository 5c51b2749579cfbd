import type { TSchema } from 'typebox'

import { type FieldError, fieldMessages, ValidationException } from '../errors/index.ts'
import { createValidators } from '../http/validation.ts'
import { CliError } from './cli-error.ts'

/** The value, held to the same schema as in the API. `what`: begins the sentence about what is wrong. */
export const checked = (schema: TSchema, value: unknown, what: string): unknown =>
  toldAs(what, () => createValidators().check('body', schema, value))

/** Refusals of single fields, as one sentence. */
export function toldAs<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ValidationException)) throw error
    const told = ((error.extras.errors ?? []) as readonly FieldError[]).map(sentenceOf)
    throw new CliError(`${what}: ${told.join('; ')}`, { cause: error })
  }
}

const sentenceOf = ({ pointer, message }: FieldError): string =>
  String(pointer === '' ? message : fieldMessages.field({ pointer, message }))
