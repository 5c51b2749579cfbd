import { compte, counted, fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** What stands on the sheet that lists what is to be corrected. */
export const markMessages = defineMessages('marks', {
  title: { en: 'To correct', fr: 'À corriger' },
  sheet: { en: 'Data', fr: 'Données' },
  nothing: { en: 'Nothing to correct', fr: 'Rien à corriger' },
  toCorrect: {
    en: ({ total }: { total: number }) => `${counted(total, 'error', 'errors')} to correct`,
    fr: ({ total }) => `${compte(total, 'erreur', 'erreurs')} à corriger`,
  },
  first: {
    en: ({ total, listed }: { total: number; listed: number }) =>
      `${counted(total, 'error', 'errors')} to correct; the first ${listed} are listed here`,
    fr: ({ total, listed }) =>
      fr`${compte(total, 'erreur', 'erreurs')} à corriger ; les ${listed} premières sont listées ici`,
  },
  howTo: {
    en: 'Correct the marked cells and send this file again: this sheet and the notes are not read.',
    fr: 'Corrigez les cellules marquées et renvoyez ce fichier : cette feuille et les notes ne sont pas lues.',
  },
  cell: { en: 'Cell', fr: 'Cellule' },
  line: { en: 'Row', fr: 'Ligne' },
  column: { en: 'Column', fr: 'Colonne' },
  value: { en: 'Value', fr: 'Valeur' },
  problem: { en: 'What is wrong', fr: 'Problème' },
  rule: { en: 'Rule', fr: 'Règle' },
  tooLarge: {
    en: ({ most }: { most: number }) =>
      `Of a file that is no workbook, at most ${most} cells are made into one. Send it as .xlsx, or load it with \`onInvalid: skip\` and take the rejected rows as CSV.`,
    fr: ({ most }) =>
      `Un fichier qui n’est pas un classeur n’en devient un que jusqu’à ${most} cellules. Envoyez-le en .xlsx, ou chargez-le avec \`onInvalid: skip\` et prenez les lignes rejetées en CSV.`,
  },
})
