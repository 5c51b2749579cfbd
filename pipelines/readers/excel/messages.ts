import { compte, counted, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const excelMessages = defineMessages('excel', {
  otherSheets: {
    en: ({ sheet, others }: { sheet: string; others: string }) =>
      `The sheet “${sheet}” was read; these were not: ${others}.`,
    fr: ({ sheet, others }) =>
      fr`La feuille « ${sheet} » a été lue ; celles-ci ne l’ont pas été : ${others}.`,
  },
  hiddenSheet: {
    en: ({ sheet }: { sheet: string }) => `The sheet “${sheet}”, which was read, is hidden.`,
    fr: ({ sheet }) => fr`La feuille « ${sheet} », qui a été lue, est masquée.`,
  },
  hiddenRows: {
    en: ({ count, row }: { count: number; row: number }) =>
      `${counted(count, 'row is', 'rows are')} hidden in the sheet, and read like the others; the first is row ${row}.`,
    fr: ({ count, row }) =>
      fr`${compte(count, 'ligne est masquée', 'lignes sont masquées')} dans la feuille, et lues comme les autres ; la première est la ligne ${row}.`,
  },
  formulasWithoutResults: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'formula has', 'formulas have')} no result in the file, and such cells are empty: open the file in a spreadsheet program and save it again.`,
    fr: ({ count }) =>
      fr`${compte(count, 'formule n’a', 'formules n’ont')} pas de résultat dans le fichier, et ces cellules sont vides : ouvrez le fichier dans un tableur et enregistrez-le de nouveau.`,
  },
})
