import { defineMessages, type MessageMaker } from '../core/message.ts'

/** What readers repair, by the names under which they count it. */
export const repairMessages = defineMessages('repair', {
  quotesTakenLiterally: {
    en: 'quotes taken literally',
    fr: 'guillemets pris tels quels',
  },
  spacesAroundQuotes: {
    en: 'spaces around quotes dropped',
    fr: 'espaces autour de guillemets retirés',
  },
  namesAtBlanks: {
    en: 'names divided at blanks',
    fr: 'noms de colonnes séparés aux espaces',
  },
  namesMoved: {
    en: 'names moved one column to the right, since rows have one field more than there are names',
    fr: 'noms de colonnes décalés d’une colonne vers la droite, car les lignes ont un champ de plus',
  },
  linesUnquoted: {
    en: 'lines that were quoted as a whole unquoted once more',
    fr: 'lignes entièrement entre guillemets dont ceux-ci ont été retirés',
  },
  rowsPadded: { en: 'rows padded with blank fields', fr: 'lignes complétées de champs vides' },
  blankFieldsDropped: { en: 'blank fields dropped', fr: 'champs vides retirés' },
  fieldsCut: { en: 'fields cut off', fr: 'champs coupés' },
  // Names are kept as they are today; reports of earlier loads count it.
  namesMended: {
    en: 'names of columns with misread signs mended',
    fr: 'noms de colonnes aux signes mal lus corrigés',
  },
  cellsCut: {
    en: 'cells outside the table left out',
    fr: 'cellules hors du tableau laissées de côté',
  },
  errorCells: {
    en: 'cells with an error taken as blank',
    fr: 'cellules en erreur lues comme vides',
  },
  notANumber: {
    en: 'NaN or infinity taken as blank',
    fr: 'NaN ou infini lus comme vides',
  },
})

/** A format from outside may count repairs that have no text here; they are shown by name. */
export const repairOf = (name: string) =>
  (repairMessages as Readonly<Record<string, MessageMaker>>)[name]?.() ?? name
