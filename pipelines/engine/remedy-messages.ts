import { compte, counted, fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(', ')
const cités = (values: readonly string[]) => values.map((value) => fr`« ${value} »`).join(', ')

/** What an option would do, for people who choose among several. */
export const remedyMessages = defineMessages('remedy', {
  nullValues: {
    en: ({ values }: { values: readonly string[] }) => `Take ${quoted(values)} for blank cells.`,
    fr: ({ values }) => fr`Prendre ${cités(values)} pour des cellules vides.`,
  },
  pattern: {
    en: ({ name, pattern }: { name: string; pattern: string }) =>
      `Read the dates of “${name}” by the pattern ${pattern}.`,
    fr: ({ name, pattern }) => fr`Lire les dates de « ${name} » par le pattern ${pattern}.`,
  },
  dateFormat: {
    en: ({ name, format }: { name: string; format: string }) =>
      `Read the dates of “${name}” as ${format}.`,
    fr: ({ name, format }) => fr`Lire les dates de « ${name} » comme ${format}.`,
  },
  asText: {
    en: ({ names }: { names: readonly string[] }) => `Load ${quoted(names)} as text.`,
    fr: ({ names }) => fr`Charger ${cités(names)} comme du texte.`,
  },
  asType: {
    en: ({ name, type }: { name: string; type: string }) => `Load “${name}” with the type ${type}.`,
    fr: ({ name, type }) => fr`Charger « ${name} » avec le type ${type}.`,
  },
  skip: {
    en: ({ rows }: { rows: number }) =>
      `Leave ${counted(rows, 'row', 'rows')} out, to be corrected and sent again.`,
    fr: ({ rows }) => fr`Écarter ${compte(rows, 'ligne', 'lignes')}, à corriger et à renvoyer.`,
  },
  andSkip: {
    en: ({ first, rows }: { first: string; rows: number }) =>
      `${first} ${counted(rows, 'other row is', 'other rows are')} left out.`,
    fr: ({ first, rows }) =>
      fr`${first} ${compte(rows, 'autre ligne est écartée', 'autres lignes sont écartées')}.`,
  },
  pad: {
    en: 'Fill up rows that lack fields at their end, and drop blank fields beyond the last column.',
    fr: 'Compléter les lignes auxquelles il manque des champs à la fin, et retirer les champs vides après la dernière colonne.',
  },
  fit: {
    en: 'Fill up rows that lack fields at their end, and cut off what is beyond the last column.',
    fr: 'Compléter les lignes auxquelles il manque des champs à la fin, et couper ce qui dépasse la dernière colonne.',
  },
  delimiter: {
    en: ({ delimiter }: { delimiter: string }) => `Separate the fields at ${delimiter}.`,
    fr: ({ delimiter }) => fr`Séparer les champs à ${delimiter}.`,
  },
  tab: { en: 'tabs', fr: 'chaque tabulation' },
  noQuotes: {
    en: 'Take quotes for ordinary characters.',
    fr: 'Prendre les guillemets pour des caractères ordinaires.',
  },
  noHeader: {
    en: 'Read the first line as data, without a header.',
    fr: 'Lire la première ligne comme des données, sans en-tête.',
  },
  asFound: {
    en: ({ option, value }: { option: string; value: string }) =>
      `Take what was found in the file: ${option} ${value}.`,
    fr: ({ option, value }) =>
      fr`Prendre ce qui a été trouvé dans le fichier : ${option} ${value}.`,
  },
  decimal: {
    en: ({ sign }: { sign: string }) => `Read “${sign}” as the decimal sign.`,
    fr: ({ sign }) => fr`Lire « ${sign} » comme le séparateur décimal.`,
  },
  decimalByColumn: {
    en: 'Find the decimal sign of each column by itself.',
    fr: 'Trouver le séparateur décimal de chaque colonne séparément.',
  },
  keepDays: {
    en: 'Keep 1899-12-30, 1900-01-01 and 1970-01-01 as dates.',
    fr: 'Garder 30/12/1899, 01/01/1900 et 01/01/1970 comme des dates.',
  },
})
