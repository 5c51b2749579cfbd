import { compte, counted, fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** As people choose them; an option is written as in the documents. */
const TYPES_IN_FRENCH: Readonly<Record<string, string>> = { number: 'nombre', boolean: 'oui/non' }

export const warningMessages = defineMessages('warning', {
  optionMeansNothing: {
    en: ({ option, format }: { option: string; format: string }) =>
      `The option ${option} has no meaning for ${format}, and was ignored.`,
    fr: ({ option, format }) =>
      fr`L’option ${option} ne signifie rien pour ${format}, et n’a rien fait.`,
  },
  repaired: {
    en: ({ what, times }: { what: string; times: number }) =>
      `Repaired while reading: ${what} (${times}).`,
    fr: ({ what, times }) => fr`Réparé à la lecture : ${what} (${times}).`,
  },
  dayAndMonth: {
    en: ({ name, format }: { name: string; format: string }) =>
      `“${name}”: day and month cannot be told apart; read as ${format}.`,
    fr: ({ name, format }) =>
      fr`« ${name} » : jour et mois ne peuvent être distingués ; lu comme ${format}.`,
  },
  decimalSign: {
    en: ({ name }: { name: string }) =>
      `“${name}”: decimal sign and thousands separator cannot be told apart.`,
    fr: ({ name }) =>
      fr`« ${name} » : le séparateur décimal et celui des milliers ne peuvent être distingués.`,
  },
  mixedUnits: {
    en: ({ name, units, someWithout }: { name: string; units: string; someWithout: boolean }) =>
      `“${name}”: the numbers are not all written with the same unit (${units}${someWithout ? ', and some with none' : ''}), and the table does not tell it.`,
    fr: ({ name, units, someWithout }) =>
      fr`« ${name} » : les nombres ne sont pas tous écrits avec la même unité (${units}${someWithout ? ', et certains sans' : ''}), et la table ne l’indique pas.`,
  },
  otherFormat: {
    en: ({ name, count, format }: { name: string; count: number; format: string }) =>
      `“${name}”: ${counted(count, 'date is', 'dates are')} not written as ${format}, and read in another format.`,
    fr: ({ name, count, format }) =>
      fr`« ${name} » : ${compte(count, 'date n’est', 'dates ne sont')} pas sous la forme ${format}, et lues dans un autre format.`,
  },
  notSeen: {
    en: ({ name }: { name: string }) =>
      `No column “${name}” was seen so far: a load is refused if it never comes.`,
    fr: ({ name }) =>
      fr`Aucune colonne « ${name} » n’a été vue jusqu’ici : un chargement est refusé si elle ne vient jamais.`,
  },
  widened: {
    // Absent in warnings that were stored before the value was included.
    en: ({ name, from, to, value }: { name: string; from: string; to: string; value?: string }) =>
      `“${name}” became ${to}: ${value === undefined ? 'a value' : `“${value}”`} did not fit ${from}.`,
    fr: ({ name, from, to, value }) =>
      fr`« ${name} » est devenue ${to} : ${value === undefined ? 'une valeur' : fr`« ${value} »`} ne convenait pas à ${from}.`,
  },
  superseded: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'row', 'rows')} gave way to a later row of the input with the same key.`,
    fr: ({ count }) =>
      fr`${compte(count, 'ligne a cédé', 'lignes ont cédé')} la place à une ligne ultérieure de même clé.`,
  },
  total: {
    en: ({ line, column, value }: { line: string; column: string; value: string }) =>
      `${line} looks like a total, and is a row all the same: “${column}” is ${value}, the sum of the rows above.`,
    fr: ({ line, column, value }) =>
      fr`${line} ressemble à un total, et reste une ligne : « ${column} » vaut ${value}, la somme des lignes au-dessus.`,
  },
  lastTotal: {
    en: ({ line, text }: { line: string; text: string }) =>
      `${line}, the last one, says that it is a total (“${text}”), and is a row all the same: the table is too long for its sums to be compared.`,
    fr: ({ line, text }) =>
      fr`${line}, la dernière, dit être un total (« ${text} »), et reste une ligne : le tableau est trop long pour que ses sommes soient comparées.`,
  },
  line: {
    en: ({ line }: { line: number }) => `Line ${line}`,
    fr: ({ line }) => `La ligne ${line}`,
  },
  staysText: {
    en: (told: { name: string; count: number; value: string; type: string }) =>
      `“${told.name}” stays text because of ${counted(told.count, 'value', 'values')}, the first being “${told.value}”: otherwise its type would be ${told.type}.`,
    fr: (told) =>
      fr`« ${told.name} » reste du texte à cause de ${compte(told.count, 'valeur', 'valeurs')}, dont la première est « ${told.value} » : sinon son type serait « ${TYPES_IN_FRENCH[told.type] ?? told.type} ».`,
  },
  digitsAsShown: {
    en: ({ name, value }: { name: string; value: string }) =>
      `“${name}” is text, as the sheet shows it, the first being “${value}”: as numbers the values would lose leading zeros and signs between their digits.`,
    fr: ({ name, value }) =>
      fr`« ${name} » est du texte, comme la feuille l’affiche, à commencer par « ${value} » : en nombres, les valeurs perdraient des zéros de tête et des signes entre leurs chiffres.`,
  },
  identifiersRounded: {
    en: ({ name, value }: { name: string; value: string }) =>
      `“${name}”: a spreadsheet has rounded long numbers (“${value}”), and their last digits are lost. Export the file again with this column as text.`,
    fr: ({ name, value }) =>
      fr`« ${name} » : un tableur a arrondi de longs nombres (« ${value} »), dont les derniers chiffres sont perdus. Exportez de nouveau le fichier avec cette colonne en texte.`,
  },
  placeholderDates: {
    en: ({ name, count }: { name: string; count: number }) =>
      `“${name}”: ${counted(count, 'date is', 'dates are')} one that programs write for “no date” (1899-12-30, 1900-01-01, 1970-01-01), and NULL. The option datePlaceholders: false keeps them.`,
    fr: ({ name, count }) =>
      fr`« ${name} » : ${compte(count, 'date est', 'dates sont')} de celles que les programmes écrivent pour « pas de date » (30/12/1899, 01/01/1900, 01/01/1970), et mises à NULL. L’option datePlaceholders: false les garde.`,
  },
  patternReadsOtherwise: {
    en: ({ name, pattern }: { name: string; pattern: string }) =>
      `The dates of “${name}” would be others by the pattern ${pattern}, which fits as many or more.`,
    fr: ({ name, pattern }) =>
      fr`Les dates de « ${name} » seraient autres par le pattern ${pattern}, qui en lit autant ou plus.`,
  },
  patternWouldFit: {
    en: ({ name, pattern }: { name: string; pattern: string }) =>
      `“${name}” would be read as dates with the type date and the pattern ${pattern}.`,
    fr: ({ name, pattern }) =>
      fr`« ${name} » serait lue comme des dates avec le type date et le pattern ${pattern}.`,
  },
})
