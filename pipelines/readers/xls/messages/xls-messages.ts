import { fr } from '../../../core/language.ts'
import { defineMessages } from '../../../core/message.ts'

/** Messages about workbooks as Excel wrote them until 2003. */
export const xlsMessages = defineMessages('xls', {
  damaged: {
    en: ({ fault }: { fault: string }) =>
      `The old Excel workbook (.xls) is truncated or damaged (${fault}). Open it in a spreadsheet program, repair it and save it again as .xlsx.`,
    fr: ({ fault }) =>
      `L’ancien classeur Excel (.xls) est tronqué ou abîmé (${fault}). Ouvrez-le dans un tableur, réparez-le et enregistrez-le de nouveau en .xlsx.`,
  },
  sheetMissing: {
    en: ({ sheet }: { sheet: string }) => `the sheet “${sheet}” is missing`,
    fr: ({ sheet }) => fr`la feuille « ${sheet} » manque`,
  },
  sheetEndsEarly: {
    en: ({ sheet }: { sheet: string }) => `the sheet “${sheet}” ends too early`,
    fr: ({ sheet }) => fr`la feuille « ${sheet} » finit trop tôt`,
  },
  textMissing: {
    en: 'a cell names a text that the workbook lacks',
    fr: 'une cellule désigne un texte que le classeur n’a pas',
  },
  strayCell: { en: 'a cell lies beside the sheet', fr: 'une cellule se trouve hors de la feuille' },
  endsEarly: { en: 'it ends too early', fr: 'il finit trop tôt' },
  cutText: { en: 'a text is cut', fr: 'un texte est coupé' },
  noBeginning: {
    en: 'it does not begin as a workbook',
    fr: 'il ne commence pas comme un classeur',
  },
  noSheet: { en: 'it lists no sheet', fr: 'il ne liste aucune feuille' },
  longDirectory: { en: 'its directory is too long', fr: 'son répertoire est trop long' },
  noDirectory: { en: 'its directory is missing', fr: 'son répertoire manque' },
  tooShort: { en: 'it is too short', fr: 'il est trop court' },
  noSectors: { en: 'its sectors have no size', fr: 'ses secteurs n’ont pas de taille' },
  cutSectors: { en: 'its table of sectors is cut', fr: 'sa table des secteurs est coupée' },

  notXls: {
    en: 'This is not an old Excel workbook (.xls).',
    fr: 'Ce n’est pas un ancien classeur Excel (.xls).',
  },
  tooOld: {
    en: 'The workbook was saved by an Excel older than version 5. Open it in LibreOffice and save it as .xlsx.',
    fr: 'Le classeur a été enregistré par un Excel antérieur à la version 5. Ouvrez-le dans LibreOffice et enregistrez-le en .xlsx.',
  },
  otherDocument: {
    en: 'This is an old Word or PowerPoint document, not a workbook. Copy its table into a workbook (.xlsx).',
    fr: 'C’est un ancien document Word ou PowerPoint, non un classeur. Copiez son tableau dans un classeur (.xlsx).',
  },
  noWorkbook: {
    en: 'This is an old Office file that holds no workbook. Save the table in it as .xlsx.',
    fr: 'C’est un ancien fichier Office qui ne contient pas de classeur. Enregistrez en .xlsx le tableau qu’il contient.',
  },
  disorder: {
    en: 'The cells of the sheet are out of order, and are too many to be put in order. Open the workbook in a spreadsheet program and save it again as .xlsx.',
    fr: 'Les cellules de la feuille sont en désordre, et trop nombreuses pour être remises en ordre. Ouvrez le classeur dans un tableur et enregistrez-le de nouveau en .xlsx.',
  },
  manyStyles: {
    en: 'The workbook has too many cell styles.',
    fr: 'Le classeur a trop de styles de cellule.',
  },
  manyFormats: {
    en: 'The workbook has too many number formats.',
    fr: 'Le classeur a trop de formats de nombre.',
  },
  manySheets: {
    en: 'The workbook has too many sheets.',
    fr: 'Le classeur a trop de feuilles.',
  },
})
