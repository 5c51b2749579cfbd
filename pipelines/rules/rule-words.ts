import { compte, counted, fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** What a rule asks, for people who fill in a file. */
export const ruleWords = defineMessages('rule-words', {
  required: { en: 'Must be filled in', fr: 'À remplir obligatoirement' },
  unique: { en: 'No value may occur twice', fr: 'Aucune valeur ne peut figurer deux fois' },
  written: {
    en: ({ what }: { what: string }) => `Is ${what}`,
    fr: ({ what }) => fr`Est ${what}`,
  },
  missing: {
    en: ({ values }: { values: string }) => `No value: ${values}`,
    fr: ({ values }) => fr`Sans valeur : ${values}`,
  },
  oneOf: {
    en: ({ values }: { values: string }) => `One of: ${values}`,
    fr: ({ values }) => fr`Au choix : ${values}`,
  },
  matches: {
    en: ({ pattern }: { pattern: string }) => `Matches the pattern ${pattern}`,
    fr: ({ pattern }) => fr`Correspond au motif ${pattern}`,
  },
  minimum: {
    en: ({ bound }: { bound: string }) => `At least ${bound}`,
    fr: ({ bound }) => fr`Au moins ${bound}`,
  },
  maximum: {
    en: ({ bound }: { bound: string }) => `At most ${bound}`,
    fr: ({ bound }) => fr`Au plus ${bound}`,
  },
  minLength: {
    en: ({ length }: { length: number }) =>
      `At least ${counted(length, 'character', 'characters')}`,
    fr: ({ length }) => fr`Au moins ${compte(length, 'caractère', 'caractères')}`,
  },
  maxLength: {
    en: ({ length }: { length: number }) => `At most ${counted(length, 'character', 'characters')}`,
    fr: ({ length }) => fr`Au plus ${compte(length, 'caractère', 'caractères')}`,
  },
  format: {
    en: ({ what }: { what: string }) => `Is ${what}`,
    fr: ({ what }) => fr`Est ${what}`,
  },
  in: {
    en: ({ column }: { column: string }) => `A value that the column “${column}” has`,
    fr: ({ column }) => fr`Une valeur qui figure dans la colonne « ${column} »`,
  },
})
