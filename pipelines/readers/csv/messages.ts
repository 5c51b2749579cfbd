import { compte, counted, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const csvMessages = defineMessages('csv', {
  longCell: {
    en: ({ line, most }: { line: number; most: number }) =>
      `Line ${line}: a cell is longer than ${most} bytes.`,
    fr: ({ line, most }) =>
      fr`Ligne ${line} : une cellule dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  longRow: {
    en: ({ line, most }: { line: number; most: number }) =>
      `Line ${line}: a row is longer than ${most} bytes.`,
    fr: ({ line, most }) =>
      fr`Ligne ${line} : une ligne de données dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  manyColumns: {
    en: ({ line, columns, most }: { line: number; columns: number; most: number }) =>
      `Line ${line}: ${columns} columns, where at most ${most} can be stored.`,
    fr: ({ line, columns, most }) =>
      fr`Ligne ${line} : ${compte(columns, 'colonne', 'colonnes')}, alors qu’au plus ${most} peuvent être enregistrées.`,
  },
  neverClosed: {
    en: 'a quote is opened and never closed',
    fr: 'un guillemet est ouvert et jamais fermé',
  },
  notClosedWithin: {
    en: ({ most }: { most: number }) => `a quote is opened and not closed within ${most} bytes`,
    fr: ({ most }) =>
      `un guillemet est ouvert et n’est pas fermé en ${compte(most, 'octet', 'octets')}`,
  },
  fields: {
    en: ({ fields, width }: { fields: number; width: number }) =>
      `${counted(fields, 'field', 'fields')} where there are ${width} columns`,
    fr: ({ fields, width }) =>
      `${compte(fields, 'champ', 'champs')} pour ${compte(width, 'colonne', 'colonnes')}`,
  },
  broken: {
    en: ({ line, fault }: { line: number; fault: string }) => `Line ${line}: ${fault}.`,
    fr: ({ line, fault }) => fr`Ligne ${line} : ${fault}.`,
  },
  brokenRow: {
    en: ({ row, line, fault }: { row: number; line: number; fault: string }) =>
      `Row ${row} (line ${line}): ${fault}.`,
    fr: ({ row, line, fault }) => fr`Ligne de données ${row} (ligne ${line}) : ${fault}.`,
  },
  breakInDelimiter: {
    en: 'A delimiter cannot hold a line break.',
    fr: 'Un séparateur ne peut pas contenir de saut de ligne.',
  },
  breakAsQuote: {
    en: 'A line break cannot be the quote.',
    fr: 'Un saut de ligne ne peut pas servir de guillemet.',
  },
  quoteInDelimiter: {
    en: 'Quote and delimiter have to differ.',
    fr: 'Le guillemet et le séparateur doivent être différents.',
  },
  noHeader: {
    en: ({ row }: { row: number }) =>
      `The file ends before row ${row}, where the header should be.`,
    fr: ({ row }) => `Le fichier finit avant la ligne ${row}, où devrait être l’en-tête.`,
  },
  noFirstRow: {
    en: ({ row }: { row: number }) =>
      `The file ends before row ${row}, where the first row of data should be.`,
    fr: ({ row }) =>
      `Le fichier finit avant la ligne ${row}, où devrait être la première ligne de données.`,
  },
})
