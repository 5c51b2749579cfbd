import { compte, counted, fr } from '../../../core/language.ts'
import { defineMessages } from '../../../core/message.ts'

export const excelMessages = defineMessages('excel', {
  otherSheets: {
    en: ({ sheet, others }: { sheet: string; others: string }) =>
      `The sheet “${sheet}” was read; these were not: ${others}.`,
    fr: ({ sheet, others }) =>
      fr`La feuille « ${sheet} » a été lue ; celles-ci ne l’ont pas été : ${others}.`,
  },
  takeSheet: {
    en: ({ sheet }: { sheet: string }) => `Read the sheet “${sheet}”.`,
    fr: ({ sheet }) => fr`Lire la feuille « ${sheet} ».`,
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

  notExcel: {
    en: 'This is not an Excel workbook. Send a workbook saved as .xlsx.',
    fr: 'Ce n’est pas un classeur Excel. Envoyez un classeur enregistré en .xlsx.',
  },
  noSheetListed: {
    en: 'This archive is not an Excel workbook: it lists no sheet. Send a workbook saved as .xlsx.',
    fr: 'Cette archive n’est pas un classeur Excel : elle ne liste aucune feuille. Envoyez un classeur enregistré en .xlsx.',
  },
  password: {
    en: 'The workbook is protected by a password. Open it in Excel, remove the password (File > Info > Protect Workbook > Encrypt with Password) and save it again.',
    fr: 'Le classeur est protégé par un mot de passe. Ouvrez-le dans Excel, retirez le mot de passe (Fichier > Informations > Protéger le classeur > Chiffrer avec mot de passe) et enregistrez-le de nouveau.',
  },
  binaryWorkbook: {
    en: 'This is a binary Excel workbook (.xlsb), which is not supported. Open it in Excel and save it as .xlsx.',
    fr: 'C’est un classeur Excel binaire (.xlsb), qui n’est pas pris en charge. Ouvrez-le dans Excel et enregistrez-le en .xlsx.',
  },
  numbers: {
    en: 'This is an Apple Numbers document, which is not supported. Open it in Numbers and export it as .xlsx.',
    fr: 'C’est un document Apple Numbers, qui n’est pas pris en charge. Ouvrez-le dans Numbers et exportez-le en .xlsx.',
  },
  wordDocument: {
    en: 'This is a Word document, not a workbook. Copy its table into a workbook (.xlsx).',
    fr: 'C’est un document Word, non un classeur. Copiez son tableau dans un classeur (.xlsx).',
  },
  presentation: {
    en: 'This is a presentation, not a workbook. Copy its table into a workbook (.xlsx).',
    fr: 'C’est une présentation, non un classeur. Copiez son tableau dans un classeur (.xlsx).',
  },

  damaged: {
    en: ({ fault }: { fault: string }) =>
      `The workbook is damaged: ${fault}. Open it in a spreadsheet program, repair it and save it again.`,
    fr: ({ fault }) =>
      fr`Le classeur est abîmé : ${fault}. Ouvrez-le dans un tableur, réparez-le et enregistrez-le de nouveau.`,
  },
  partTwice: {
    en: ({ part }: { part: string }) => `it holds ${part} twice`,
    fr: ({ part }) => `il contient deux fois ${part}`,
  },
  partMissing: {
    en: ({ part }: { part: string }) => `it lacks ${part}`,
    fr: ({ part }) => `il lui manque ${part}`,
  },
  sheetMissing: {
    en: ({ sheet, part }: { sheet: string; part: string | null }) =>
      `it lacks the sheet “${sheet}”${part === null ? '' : ` (${part})`}`,
    fr: ({ sheet, part }) =>
      fr`il lui manque la feuille « ${sheet} »${part === null ? '' : ` (${part})`}`,
  },
  rowsInDisorder: {
    en: ({ sheet, row, after }: { sheet: string; row: number; after: number }) =>
      `in the sheet “${sheet}” row ${row} comes after row ${after}`,
    fr: ({ sheet, row, after }) =>
      fr`dans la feuille « ${sheet} », la ligne ${row} se trouve après la ligne ${after}`,
  },
  strayRow: {
    en: ({ sheet, row, after }: { sheet: string; row: number; after: number }) =>
      `row ${after} of the sheet “${sheet}” is followed by a row ${row}, which no sheet can have`,
    fr: ({ sheet, row, after }) =>
      fr`après la ligne ${after} de la feuille « ${sheet} » se trouve une ligne ${row}, qu’aucune feuille n’a`,
  },
  strayCell: {
    en: ({ sheet, row, reference }: { sheet: string; row: number; reference: string }) =>
      `row ${row} of the sheet “${sheet}” has a cell “${reference}”, which no sheet can have`,
    fr: ({ sheet, row, reference }) =>
      fr`à la ligne ${row} de la feuille « ${sheet} » se trouve une cellule « ${reference} », qu’aucune feuille n’a`,
  },
  textMissing: {
    en: ({ place }: { place: string }) => `the cell ${place} names a text that the workbook lacks`,
    fr: ({ place }) => `la cellule ${place} désigne un texte que le classeur n’a pas`,
  },
  belowSheet: {
    en: 'The file has a cell below the last row that a sheet can have.',
    fr: 'Le fichier a une cellule sous la dernière ligne qu’une feuille peut avoir.',
  },
  besideSheet: {
    en: 'The file has a cell to the right of the last column that a sheet can have.',
    fr: 'Le fichier a une cellule à droite de la dernière colonne qu’une feuille peut avoir.',
  },

  longCell: {
    en: ({ place, most }: { place: string; most: number }) =>
      `The cell ${place} is longer than ${most} bytes.`,
    fr: ({ place, most }) => `La cellule ${place} dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  longText: {
    en: ({ most }: { most: number }) => `A cell of the workbook is longer than ${most} bytes.`,
    fr: ({ most }) => `Une cellule du classeur dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  longRow: {
    en: ({ row, sheet, most }: { row: number; sheet: string; most: number }) =>
      `Row ${row} of the sheet “${sheet}” is longer than ${most} bytes.`,
    fr: ({ row, sheet, most }) =>
      fr`La ligne ${row} de la feuille « ${sheet} » dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  longLine: {
    en: ({ line, most }: { line: number; most: number }) =>
      `Row ${line} of the file is longer than ${most} bytes.`,
    fr: ({ line, most }) =>
      `La ligne ${line} du fichier dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  /** Jobs of earlier versions have stored it. */
  expands: {
    en: 'The workbook expands to far more text than a workbook of its size should hold.',
    fr: 'Le classeur contient, une fois déployé, bien plus de texte que sa taille ne le laisse attendre.',
  },
  manyStyles: {
    en: ({ most }: { most: number }) => `The workbook has more than ${most} cell styles.`,
    fr: ({ most }) =>
      `Le classeur a plus de ${compte(most, 'style de cellule', 'styles de cellule')}.`,
  },
  longFormats: {
    en: ({ most }: { most: number }) =>
      `The number formats of the workbook have more than ${counted(most, 'character', 'characters')}.`,
    fr: ({ most }) =>
      `Les formats de nombre du classeur ont plus de ${compte(most, 'caractère', 'caractères')}.`,
  },
  manySheets: {
    en: ({ most }: { most: number }) => `The workbook has more than ${most} sheets.`,
    fr: ({ most }) => `Le classeur a plus de ${compte(most, 'feuille', 'feuilles')}.`,
  },
  wide: {
    en: ({
      from,
      to,
      columns,
      most,
    }: {
      from: string
      to: string
      columns: number
      most: number
    }) =>
      `The table reaches from column ${from} to the cell ${to}: ${columns} columns, where at most ${most} are possible.`,
    fr: ({ from, to, columns, most }) =>
      fr`Le tableau va de la colonne ${from} à la cellule ${to} : ${compte(columns, 'colonne', 'colonnes')}, alors qu’au plus ${most} sont possibles.`,
  },
  takeColumns: {
    en: ({ range, beyond }: { range: string; beyond: number }) =>
      `Read the columns ${range} only; ${counted(beyond, 'cell', 'cells')} to the right of them ${beyond === 1 ? 'is' : 'are'} left out.`,
    fr: ({ range, beyond }) =>
      fr`Ne lire que les colonnes ${range} ; ${compte(beyond, 'cellule plus à droite est laissée', 'cellules plus à droite sont laissées')} de côté.`,
  },

  noSuchSheet: {
    en: ({
      wanted,
      names,
      others,
    }: {
      wanted: string | number
      names: readonly string[]
      others: number
    }) =>
      `The workbook has no sheet “${wanted}”. It has: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
    fr: ({ wanted, names, others }) =>
      fr`Le classeur n’a pas de feuille « ${wanted} ». Il a : ${names.join(', ')}${others > 0 ? ` et ${others} de plus` : ''}`,
  },
  noCells: {
    en: ({ sheet }: { sheet: string }) =>
      `The sheet “${sheet}” holds no cells: it is a chart or a dialogue.`,
    fr: ({ sheet }) =>
      fr`La feuille « ${sheet} » ne contient pas de cellules : c’est un graphique ou une boîte de dialogue.`,
  },
  blankHeader: {
    en: ({ from, to }: { from: number; to: number }) =>
      `${from === to ? `Row ${from}` : `Rows ${from} to ${to}`}, named as the header, cannot be empty. Name the row that holds the headers, counted from 1 as in the sheet.`,
    fr: ({ from, to }) =>
      fr`L’en-tête nommé (${from === to ? `ligne ${from}` : `lignes ${from} à ${to}`}) ne peut pas être vide. Nommez la ligne qui porte les en-têtes, comptée à partir de 1 comme dans la feuille.`,
  },
  nothingThere: {
    en: ({ option }: { option: string }) =>
      `The rows named by the option ${option}, and those below, are empty.`,
    fr: ({ option }) => `Il n’y a rien dans les lignes que nomme l’option ${option}, ni dessous.`,
  },
  noData: {
    en: 'The workbook holds no data.',
    fr: 'Le classeur ne contient pas de données.',
  },
  noDataInSheet: {
    en: ({ sheet }: { sheet: string | number }) => `The sheet “${sheet}” holds no data.`,
    fr: ({ sheet }) => fr`La feuille « ${sheet} » ne contient pas de données.`,
  },
  outsideTable: {
    en: ({ place }: { place: string }) =>
      `The cell ${place} is filled but lies outside the table: give its column a header, or leave such cells out with the option ragged: “fit”.`,
    fr: ({ place }) =>
      fr`La cellule ${place} est remplie mais se trouve hors du tableau : donnez un en-tête à sa colonne, ou laissez de telles cellules de côté par l’option ragged : « fit ».`,
  },

  /** After “The” in English, and after “dans” in French. */
  workbook: { en: 'workbook', fr: 'le classeur' },
  cure: {
    en: 'Send the file again, or open it in a spreadsheet program and save it again as .xlsx.',
    fr: 'Envoyez de nouveau le fichier, ou ouvrez-le dans un tableur et enregistrez-le de nouveau en .xlsx.',
  },
})
