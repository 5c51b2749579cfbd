import { defineMessages, fr, type Message } from '../../pipelines/index.ts'
import { ValidationException } from './catalogue.ts'
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

/**
 * A field in one of these parts is named without the part, since nobody mistakes it for a field of
 * the body.
 */
const PARTS: readonly string[] = ['query', 'path', 'headers']

interface Wording {
  readonly item: (number: number) => string
  readonly quoted: (name: string) => string
}

/**
 * Describes a JSON Pointer for people: the field itself, and in brackets what contains it.
 * `/options/columns/1/name` is “name” (options, columns, item 2).
 */
const placeIn =
  ({ item, quoted }: Wording) =>
  (pointer: string): string => {
    const parts = pointer.replace(/^\//, '').split('/').map(unescaped)
    const within = parts.length > 1 && PARTS.includes(parts[0]!) ? parts.slice(1) : parts
    const shown = within.map((part) => (isIndex(part) ? item(Number(part) + 1) : part))
    const last = shown.pop() ?? ''
    const field = isIndex(within.at(-1)) ? last : quoted(last)
    return shown.length === 0 ? field : `${field} (${shown.join(', ')})`
  }

const fieldPlace = {
  en: placeIn({ item: (number) => `item ${number}`, quoted: (name) => `“${name}”` }),
  fr: placeIn({ item: (number) => `élément ${number}`, quoted: (name) => fr`« ${name} »` }),
}

const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d{1,9}$/.test(part)

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
