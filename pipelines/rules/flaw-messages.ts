import { fr } from '../core/language.ts'
import { defineMessages, type Message } from '../core/message.ts'

export interface RuleFlaw {
  /** JSON Pointer into the rule. */
  readonly pointer: string
  readonly message: Message
}

/** Why a rule cannot be. */
export const flawMessages = defineMessages('rule-flaw', {
  oneKind: {
    en: ({ kinds }: { kinds: string }) => `has to be of one kind: ${kinds}`,
    fr: ({ kinds }) => fr`doit être d’une seule sorte : ${kinds}`,
  },
  notOfType: {
    en: ({ kind, type }: { kind: string; type: string }) =>
      `\`${kind}\` cannot be asked of a column of type ${type}`,
    fr: ({ kind, type }) => fr`\`${kind}\` ne peut pas être demandé d’une colonne de type ${type}`,
  },
  pattern: {
    en: ({ because }: { because: string }) => `is no regular expression of RE2: ${because}`,
    fr: ({ because }) => fr`n’est pas une expression régulière de RE2 : ${because}`,
  },
  number: { en: 'has to be a number', fr: 'doit être un nombre' },
  date: {
    en: 'has to be a date: YYYY-MM-DD, or ISO 8601 with a time and its offset',
    fr: 'doit être une date : YYYY-MM-DD, ou ISO 8601 avec une heure et son décalage',
  },
  text: { en: 'has to be a text', fr: 'doit être un texte' },
  boolean: { en: 'has to be true or false', fr: 'doit être true ou false' },
  noColumn: {
    en: ({ name }: { name: string }) => `names no column of the shape: “${name}”`,
    fr: ({ name }) => fr`ne nomme aucune colonne du gabarit : « ${name} »`,
  },
  unlike: {
    en: ({ first, second }: { first: string; second: string }) =>
      `“${first}” and “${second}” are of types that cannot be compared so`,
    fr: ({ first, second }) =>
      fr`« ${first} » et « ${second} » sont de types qui ne peuvent pas être comparés ainsi`,
  },
  sameColumn: { en: 'names a column twice', fr: 'nomme deux fois une colonne' },
  withoutEquals: {
    en: 'goes with `sum` and `equals`',
    fr: 'va avec `sum` et `equals`',
  },
})
