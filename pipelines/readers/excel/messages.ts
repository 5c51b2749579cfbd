import { compte, counted, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const excelMessages = defineMessages('excel', {
  otherSheets: {
    en: ({ sheet, others }: { sheet: string; others: string }) =>
      `The sheet “${sheet}” was read; these were not: ${others}.`,
    fr: ({ sheet, others }) =>
      fr`La feuille « ${sheet} » a été lue ; celles-ci ne l’ont pas été : ${others}.`,
  },
  formulasWithoutResults: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'formula has', 'formulas have')} no result in the file, and such cells are empty: open the file in a spreadsheet program and save it again.`,
    fr: ({ count }) =>
      fr`${compte(count, 'formule n’a', 'formules n’ont')} pas de résultat dans le fichier, et ces cellules sont vides : ouvrez le fichier dans un tableur et enregistrez-le de nouveau.`,
  },
})
