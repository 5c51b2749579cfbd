import { compte } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const headerMessages = defineMessages('header', {
  manyColumns: {
    en: ({ count, most }: { count: number; most: number }) =>
      `The input has ${count} columns, and a table holds at most ${most}`,
    fr: ({ count, most }) =>
      `L’entrée a ${compte(count, 'colonne', 'colonnes')}, et une table en contient au plus ${most}`,
  },
})
