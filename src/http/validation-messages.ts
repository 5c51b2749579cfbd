import type { ErrorObject } from 'ajv/dist/2020.js'

import { compte, counted, defineMessages, fr, type Message } from '../../pipelines/index.ts'
import { fieldMessages } from '../errors/index.ts'
import { SCHEMA_FIXED } from '../resources/schema.ts'
import { nearestName } from './nearest-name.ts'
import { TEXT_FORMATS } from './text-formats.ts'

/** Signs are quoted: a comma, for example, would be lost between commas. A tab has no sign to show. */
function choiceOf(text: string, quoted: (sign: string) => string, tab: string): string {
  if (text === '\t') return tab
  return /^[\p{P}\p{S}]+$/u.test(text) ? quoted(text) : text
}

/** Each completes a sentence that begins with the field. */
export const validationMessages = defineMessages('validation', {
  fixed: { en: 'cannot be changed', fr: 'ne peut pas être modifié' },
  writtenLike: {
    en: ({ example }: { example: string }) => `must be written like ${example}`,
    fr: ({ example }) => `doit s’écrire comme ${example}`,
  },
  matching: {
    en: ({ pattern }: { pattern: string }) => `must match the pattern ${pattern}`,
    fr: ({ pattern }) => `doit correspondre au motif ${pattern}`,
  },
  unknown: { en: 'is not known here', fr: 'n’est pas connu ici' },
  misspelt: {
    en: ({ near }: { near: string }) => `is not known here, but “${near}” is`,
    fr: ({ near }) => fr`n’est pas connu ici, mais « ${near} » l’est`,
  },
  oneOf: {
    en: ({ allowed }: { allowed: readonly string[] }) =>
      `must be one of ${allowed.map((one) => choiceOf(one, (sign) => `“${sign}”`, 'a tab')).join(', ')}`,
    fr: ({ allowed }) =>
      fr`doit valoir l’un de ces choix : ${allowed.map((one) => choiceOf(one, (sign) => fr`« ${sign} »`, 'une tabulation')).join(', ')}`,
  },
  constant: {
    en: ({ allowed }: { allowed: string }) => `must be ${allowed}`,
    fr: ({ allowed }) => `doit valoir ${allowed}`,
  },
  type: {
    en: ({ types }: { types: readonly string[] }) => `must be ${types.join(' or ')}`,
    fr: ({ types }) => `doit être ${types.join(' ou ')}`,
  },
  repeated: { en: 'may be given only once', fr: 'ne peut être donné qu’une fois' },
  string: { en: 'text', fr: 'un texte' },
  integer: { en: 'a whole number', fr: 'un nombre entier' },
  number: { en: 'a number', fr: 'un nombre' },
  boolean: { en: 'true or false', fr: 'true ou false' },
  object: { en: 'an object', fr: 'un objet' },
  array: { en: 'a list', fr: 'une liste' },
  null: { en: 'null', fr: 'égal à null' },
  minimum: {
    en: ({ limit }: { limit: number }) => `must be at least ${limit}`,
    fr: ({ limit }) => `doit être au moins ${limit}`,
  },
  maximum: {
    en: ({ limit }: { limit: number }) => `must be at most ${limit}`,
    fr: ({ limit }) => `doit être au plus ${limit}`,
  },
  above: {
    en: ({ limit }: { limit: number }) => `must be greater than ${limit}`,
    fr: ({ limit }) => `doit être supérieur à ${limit}`,
  },
  below: {
    en: ({ limit }: { limit: number }) => `must be less than ${limit}`,
    fr: ({ limit }) => `doit être inférieur à ${limit}`,
  },
  multipleOf: {
    en: ({ of }: { of: number }) => `must be a multiple of ${of}`,
    fr: ({ of }) => `doit être un multiple de ${of}`,
  },
  minLength: {
    en: ({ limit }: { limit: number }) =>
      `must have at least ${counted(limit, 'character', 'characters')}`,
    fr: ({ limit }) => `doit avoir au moins ${compte(limit, 'caractère', 'caractères')}`,
  },
  maxLength: {
    en: ({ limit }: { limit: number }) =>
      `must have at most ${counted(limit, 'character', 'characters')}`,
    fr: ({ limit }) => `doit avoir au plus ${compte(limit, 'caractère', 'caractères')}`,
  },
  minItems: {
    en: ({ limit }: { limit: number }) => `must have at least ${counted(limit, 'item', 'items')}`,
    fr: ({ limit }) => `doit avoir au moins ${compte(limit, 'élément', 'éléments')}`,
  },
  maxItems: {
    en: ({ limit }: { limit: number }) => `must have at most ${counted(limit, 'item', 'items')}`,
    fr: ({ limit }) => `doit avoir au plus ${compte(limit, 'élément', 'éléments')}`,
  },
  uniqueItems: {
    en: 'must not name the same thing twice',
    fr: 'ne doit pas nommer deux fois la même chose',
  },
  minProperties: {
    en: ({ limit }: { limit: number }) => `must have at least ${counted(limit, 'field', 'fields')}`,
    fr: ({ limit }) => `doit avoir au moins ${compte(limit, 'champ', 'champs')}`,
  },
  union: {
    en: 'is none of the things that are allowed here',
    fr: 'n’est rien de ce qui est permis ici',
  },
  invalid: { en: 'is not valid', fr: 'n’est pas valide' },
  uuid: { en: 'must be a uuid', fr: 'doit être un uuid' },
  time: {
    en: 'must be a time with its day and zone, such as 2026-01-31T09:30:00Z',
    fr: 'doit être une heure avec son jour et son fuseau, comme 2026-01-31T09:30:00Z',
  },
  email: { en: 'must be an e-mail address', fr: 'doit être une adresse e-mail' },
})

const say = validationMessages

const TYPES: Readonly<Record<string, () => Message>> = {
  string: say.string,
  integer: say.integer,
  number: say.number,
  boolean: say.boolean,
  object: say.object,
  array: say.array,
  null: say.null,
}

type Params = Readonly<Record<string, unknown>>

const limit = ({ limit: bound }: Params) => ({ limit: Number(bound) })

const BOUNDS: Readonly<Record<string, (bound: { limit: number }) => Message>> = {
  '>=': say.minimum,
  '<=': say.maximum,
  '>': say.above,
  '<': say.below,
}

const bounded = (params: Params) => BOUNDS[String(params['comparison'])]!(limit(params))

const FORMATS: Readonly<Record<string, () => Message>> = {
  uuid: say.uuid,
  email: say.email,
  'date-time': say.time,
}

type Schema = Readonly<Record<string, unknown>>

const isFixed = (field: unknown, schema: Schema) =>
  ((schema[SCHEMA_FIXED] ?? []) as unknown[]).includes(field)

function writtenLike({ pattern }: Params, { examples = [] }: Schema): Message {
  const [example] = examples as readonly unknown[]
  return typeof example === 'string'
    ? say.writtenLike({ example })
    : say.matching({ pattern: String(pattern) })
}

const typeMessage = (names: readonly unknown[]): Message =>
  say.type({ types: names.map((name) => TYPES[String(name)]?.() ?? String(name)) })

function unknown(name: unknown, schema: Schema): Message {
  const { properties = {} } = schema
  const near = nearestName(String(name), Object.keys(properties as object))
  return near === null ? say.unknown() : say.misspelt({ near })
}

/** What each keyword of a schema says about a value that it refuses. */
const BY_KEYWORD: Readonly<Record<string, (params: Params, schema: Schema) => Message>> = {
  required: fieldMessages.required,
  additionalProperties: ({ additionalProperty }, schema) =>
    isFixed(additionalProperty, schema) ? say.fixed() : unknown(additionalProperty, schema),
  unevaluatedProperties: ({ unevaluatedProperty }, schema) => unknown(unevaluatedProperty, schema),
  enum: ({ allowedValues }) => say.oneOf({ allowed: (allowedValues as unknown[]).map(String) }),
  const: ({ allowedValue }) => say.constant({ allowed: String(allowedValue) }),
  type: ({ type }) => typeMessage([type].flat()),
  minimum: bounded,
  maximum: bounded,
  exclusiveMinimum: bounded,
  exclusiveMaximum: bounded,
  multipleOf: ({ multipleOf }) => say.multipleOf({ of: Number(multipleOf) }),
  minLength: (params) => say.minLength(limit(params)),
  maxLength: (params) => say.maxLength(limit(params)),
  pattern: writtenLike,
  minItems: (params) => say.minItems(limit(params)),
  maxItems: (params) => say.maxItems(limit(params)),
  uniqueItems: say.uniqueItems,
  minProperties: (params) => say.minProperties(limit(params)),
  anyOf: say.union,
  oneOf: say.union,
  format: ({ format }) =>
    FORMATS[String(format)]?.() ?? TEXT_FORMATS[String(format)]?.message ?? say.invalid(),
}

const messageOf = ({ keyword, params, parentSchema = {} }: ErrorObject): Message =>
  BY_KEYWORD[keyword]?.(params, parentSchema) ?? say.invalid()

/** If several schemas are allowed, these errors only say that one of them was not meant. */
const OF_ONE_KIND: readonly string[] = ['type', 'const', 'enum', 'anyOf', 'oneOf']

/** Sums up everything that a schema says against one value. */
export function validationMessage(errors: readonly [ErrorObject, ...ErrorObject[]]): Message {
  const rule = errors.find(({ keyword }) => !OF_ONE_KIND.includes(keyword))
  if (rule !== undefined) return messageOf(rule)
  const types = errors.flatMap(({ keyword, params }) => (keyword === 'type' ? params['type'] : []))
  return types.length > 1 ? typeMessage(types) : messageOf(errors[0])
}
