import { compte, counted, fr } from '../core/language.ts'
import { defineMessages, type Message, type StoredMessage } from '../core/message.ts'

/** What every message about a broken rule carries. */
interface Told {
  /** The name of the rule. */
  readonly rule: string
  readonly value: string
}

/** What is wrong with a value or a row that breaks a rule. */
export const ruleMessages = defineMessages('rule', {
  required: {
    en: ({ value }: Told) =>
      value === '' ? 'A value is required' : `A value is required; “${value}” stands for none`,
    fr: ({ value }) =>
      value === ''
        ? 'Une valeur est obligatoire'
        : fr`Une valeur est obligatoire ; « ${value} » n’en est pas une`,
  },
  unique: {
    en: ({ value }: Told) => `“${value}” occurs more than once`,
    fr: ({ value }) => fr`« ${value} » figure plusieurs fois`,
  },
  written: {
    en: ({ value, what }: Told & { what: string }) => `“${value}” is not ${what}`,
    fr: ({ value, what }) => fr`« ${value} » n’est pas ${what}`,
  },
  oneOf: {
    en: ({ value, values }: Told & { values: string }) => `“${value}” is none of: ${values}`,
    fr: ({ value, values }) => fr`« ${value} » ne fait pas partie de : ${values}`,
  },
  matches: {
    en: ({ value, pattern }: Told & { pattern: string }) =>
      `“${value}” does not match the pattern ${pattern}`,
    fr: ({ value, pattern }) => fr`« ${value} » ne correspond pas au motif ${pattern}`,
  },
  minimum: {
    en: ({ value, bound }: Told & { bound: string }) => `“${value}” is below ${bound}`,
    fr: ({ value, bound }) => fr`« ${value} » est en dessous de ${bound}`,
  },
  maximum: {
    en: ({ value, bound }: Told & { bound: string }) => `“${value}” is above ${bound}`,
    fr: ({ value, bound }) => fr`« ${value} » est au-dessus de ${bound}`,
  },
  minLength: {
    en: ({ value, length }: Told & { length: number }) =>
      `“${value}” is shorter than ${counted(length, 'character', 'characters')}`,
    fr: ({ value, length }) =>
      fr`« ${value} » a moins de ${compte(length, 'caractère', 'caractères')}`,
  },
  maxLength: {
    en: ({ value, length }: Told & { length: number }) =>
      `“${value}” is longer than ${counted(length, 'character', 'characters')}`,
    fr: ({ value, length }) =>
      fr`« ${value} » a plus de ${compte(length, 'caractère', 'caractères')}`,
  },
  format: {
    en: ({ value, what }: Told & { what: string }) => `“${value}” is not ${what}`,
    fr: ({ value, what }) => fr`« ${value} » n’est pas ${what}`,
  },
  in: {
    en: ({ value, column }: Told & { column: string }) =>
      `“${value}” is not in the column “${column}” that is looked up`,
    fr: ({ value, column }) =>
      fr`« ${value} » ne figure pas dans la colonne consultée « ${column} »`,
  },
  compare: {
    en: ({ value, first, sign, second, other }: Told & Compared) =>
      `“${first}” (${value}) must be ${sign} “${second}” (${other})`,
    fr: ({ value, first, sign, second, other }) =>
      fr`« ${first} » (${value}) doit être ${sign} « ${second} » (${other})`,
  },
  sum: {
    en: ({ value, columns, sum, total }: Told & Summed) =>
      `${columns} are ${sum} together, not ${value} as in “${total}”`,
    fr: ({ value, columns, sum, total }) =>
      fr`${columns} font ${sum} ensemble, et non ${value} comme dans « ${total} »`,
  },
  own: {
    en: ({ text }: { rule: string; text: string }) => text,
    fr: ({ text }) => fr`${text}`,
  },
  warned: {
    en: ({ name, count, first }: { name: string; count: number; first: string }) =>
      `Rule “${name}”: ${counted(count, 'value breaks it', 'values break it')}, first: ${first}`,
    fr: ({ name, count, first }) =>
      fr`Règle « ${name} » : ${compte(count, 'valeur l’enfreint', 'valeurs l’enfreignent')}, d’abord : ${first}`,
  },
})

interface Compared {
  readonly first: string
  readonly sign: string
  readonly second: string
  readonly other: string
}

interface Summed {
  readonly columns: string
  readonly sum: string
  readonly total: string
}

/** What a text of a format is, after “is not”. */
export const formatMessages = defineMessages('rule-format', {
  email: { en: 'an e-mail address', fr: 'une adresse électronique' },
  uri: { en: 'an address such as https://…', fr: 'une adresse telle que https://…' },
  uuid: { en: 'a UUID', fr: 'un UUID' },
  siren: {
    en: 'a SIREN: nine digits of which the last checks the others',
    fr: 'un SIREN : neuf chiffres dont le dernier contrôle les autres',
  },
  siret: {
    en: 'a SIRET: fourteen digits of which the last checks the others',
    fr: 'un SIRET : quatorze chiffres dont le dernier contrôle les autres',
  },
  iban: {
    en: 'an IBAN whose check digits are right',
    fr: 'un IBAN dont la clé est juste',
  },
  postcodeFr: {
    en: 'a French postcode of five digits',
    fr: 'un code postal français de cinq chiffres',
  },
  insee: {
    en: 'the INSEE code of a commune',
    fr: 'le code INSEE d’une commune',
  },
})

/** The name of the rule that a message is about; null: it is about something else. */
export function ruleOf(message: string | Message | StoredMessage): string | null {
  if (typeof message === 'string' || !message.code.startsWith('rule.')) return null
  const { rule } = message.values
  return typeof rule === 'string' ? rule : null
}
