import { defineMessages } from '../../core/message.ts'

export const fixedWidthMessages = defineMessages('fixed-width', {
  noWidths: {
    en: 'No column is blank in all lines, so that the widths of the fields cannot be found: name them with the option widths.',
    fr: 'Aucune colonne de caractères n’est vide sur toutes les lignes, si bien que les largeurs des champs ne peuvent pas être trouvées : nommez-les par l’option widths.',
  },
  longLine: {
    en: ({ line }: { line: number }) => `Line ${line} is too long.`,
    fr: ({ line }) => `La ligne ${line} est trop longue.`,
  },
})
