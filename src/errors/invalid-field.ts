import { defineMessages, fr, type Message } from '../../pipelines/index.ts'
import { ValidationException } from './catalogue.ts'
import { fieldPlace } from './field-place.ts'
import type { FieldError } from './problem.ts'

/** Refuses one wrong field: the message follows its name. */
export function invalidField(
  pointer: string,
  message: Message,
  cause?: unknown,
): InstanceType<typeof ValidationException> {
  return invalidFields([{ pointer, message }], cause)
}

/** How many fields `detail` mentions; `errors` lists them all. */
const TOLD = 5

export function invalidFields(
  errors: readonly FieldError[],
  cause?: unknown,
): InstanceType<typeof ValidationException> {
  const told = errors
    .slice(0, TOLD)
    .map(({ pointer, message }) =>
      pointer === '' ? fieldMessages.body({ message }) : fieldMessages.field({ pointer, message }),
    )
  return new ValidationException(fieldMessages.fields({ told }), { errors, cause })
}

export const fieldMessages = defineMessages('field', {
  body: {
    en: ({ message }: { message: string }) => `The body ${message}`,
    fr: ({ message }) => fr`Le corps ${message}`,
  },
  field: {
    en: ({ pointer, message }: { pointer: string; message: string }) =>
      `${fieldPlace.en(pointer)} ${message}`,
    fr: ({ pointer, message }) => `${fieldPlace.fr(pointer)} ${message}`,
  },
  required: { en: 'is required', fr: 'est obligatoire' },
  fields: {
    en: ({ told }: { told: readonly string[] }) => told.join('; '),
    fr: ({ told }) => told.join('\u00a0; '),
  },
})
