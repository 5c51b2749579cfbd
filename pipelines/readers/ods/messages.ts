import { compte } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const odsMessages = defineMessages('ods', {
  spreadsheet: { en: 'spreadsheet', fr: 'le classeur' },
  cure: {
    en: 'Send the file again, or open it in LibreOffice and save it again.',
    fr: 'Envoyez de nouveau le fichier, ou ouvrez-le dans LibreOffice et enregistrez-le de nouveau.',
  },
  notOds: {
    en: 'This is not an OpenDocument spreadsheet (.ods).',
    fr: 'Ce n’est pas un classeur OpenDocument (.ods).',
  },
  otherDocument: {
    en: ({ type }: { type: string }) =>
      `This is an OpenDocument file, but no spreadsheet (${type}). Copy its table into a spreadsheet.`,
    fr: ({ type }) =>
      `C’est un fichier OpenDocument, mais non un classeur (${type}). Copiez son tableau dans un classeur.`,
  },
  password: {
    en: 'The spreadsheet is protected by a password. Open it in LibreOffice and save it again without one.',
    fr: 'Le classeur est protégé par un mot de passe. Ouvrez-le dans LibreOffice et enregistrez-le de nouveau sans mot de passe.',
  },
  noSheet: { en: 'The spreadsheet has no sheet.', fr: 'Le classeur n’a pas de feuille.' },
  manySheets: {
    en: ({ most }: { most: number }) => `The spreadsheet has more than ${most} sheets.`,
    fr: ({ most }) => `Le classeur a plus de ${compte(most, 'feuille', 'feuilles')}.`,
  },
})
