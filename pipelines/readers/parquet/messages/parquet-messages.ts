import { compte, fr } from '../../../core/language.ts'
import { defineMessages } from '../../../core/message.ts'

export const parquetMessages = defineMessages('parquet', {
  damaged: {
    en: ({ fault }: { fault: string }) =>
      `The Parquet file is truncated or damaged (${fault}). Write it again with the program it comes from.`,
    fr: ({ fault }) =>
      `Le fichier Parquet est tronqué ou abîmé (${fault}). Écrivez-le de nouveau avec le programme d’où il vient.`,
  },
  tooShort: { en: 'it is too short', fr: 'il est trop court' },
  noEnd: { en: 'its end is missing', fr: 'sa fin manque' },
  cutFooter: { en: 'its footer is cut', fr: 'son pied de fichier est coupé' },
  footer: { en: 'its footer', fr: 'son pied de fichier' },
  schema: { en: 'its schema', fr: 'son schéma' },
  otherRows: {
    en: 'its row groups have a different number of rows than the file',
    fr: 'ses groupes de lignes n’ont pas le même nombre de lignes que le fichier',
  },
  lacksColumns: {
    en: 'a row group lacks columns',
    fr: 'il manque des colonnes à un groupe de lignes',
  },
  column: {
    en: ({ column }: { column: string }) => `the column “${column}”`,
    fr: ({ column }) => fr`la colonne « ${column} »`,
  },
  columnFault: {
    en: ({ column, fault }: { column: string; fault: string }) =>
      `the column “${column}”: ${fault}`,
    fr: ({ column, fault }) => fr`la colonne « ${column} » : ${fault}`,
  },
  otherColumns: {
    en: 'a row group has other columns than the schema',
    fr: 'un groupe de lignes n’a pas les colonnes du schéma',
  },
  otherValues: {
    en: 'it does not have as many values as its row group has rows',
    fr: 'elle n’a pas autant de valeurs que son groupe a de lignes',
  },
  manyValues: {
    en: 'it has more values than it states',
    fr: 'elle a plus de valeurs qu’elle n’en indique',
  },
  checksum: {
    en: 'the checksum of a page differs',
    fr: 'la somme de contrôle d’une page diffère',
  },
  fewValues: { en: 'it has too few values', fr: 'elle a trop peu de valeurs' },
  endsEarly: { en: 'it ends too early', fr: 'elle finit trop tôt' },
  cutPage: { en: 'a page is cut', fr: 'une page est coupée' },
  noPageHeader: { en: 'a page has no header', fr: 'une page n’a pas d’en-tête' },
  otherPageSize: {
    en: 'a page does not have the size that it states',
    fr: 'une page n’a pas la taille qu’elle indique',
  },

  unsupported: {
    en: ({ found }: { found: string }) =>
      `The Parquet file ${found}, which is not supported. Write it again with the program it comes from.`,
    fr: ({ found }) =>
      `Le fichier Parquet ${found}, ce qui n’est pas pris en charge. Écrivez-le de nouveau avec le programme d’où il vient.`,
  },
  columnsElsewhere: {
    en: 'keeps columns elsewhere',
    fr: 'garde des colonnes dans d’autres fichiers',
  },
  unknownType: {
    en: ({ type }: { type: string }) => `has a type that is unknown (${type})`,
    fr: ({ type }) => `a un type inconnu (${type})`,
  },
  unusualCompression: {
    en: ({ codec }: { codec: number }) => `is compressed in an unusual way (${codec})`,
    fr: ({ codec }) => `est compressé d’une façon inhabituelle (${codec})`,
  },
  unusualEncoding: {
    en: ({ column, encoding }: { column: string; encoding: number }) =>
      `writes the column “${column}” in an unusual way (${encoding})`,
    fr: ({ column, encoding }) =>
      fr`écrit la colonne « ${column} » d’une façon inhabituelle (${encoding})`,
  },

  large: {
    en: ({ found }: { found: string }) =>
      `The Parquet file has ${found}. Write it again with smaller pages and row groups.`,
    fr: ({ found }) =>
      `Le fichier Parquet a ${found}. Écrivez-le de nouveau avec des pages et des groupes de lignes plus petits.`,
  },
  longFooter: { en: 'too long a footer', fr: 'un pied de fichier trop long' },
  manyRowGroups: { en: 'too many row groups', fr: 'trop de groupes de lignes' },
  longRow: {
    en: 'a row that goes on over too many pages',
    fr: 'une ligne qui s’étend sur trop de pages',
  },
  largePage: {
    en: ({ most }: { most: number }) => `a page that is larger than ${most} bytes`,
    fr: ({ most }) => `une page qui dépasse ${compte(most, 'octet', 'octets')}`,
  },

  encrypted: {
    en: 'The Parquet file is encrypted: send it without encryption.',
    fr: 'Le fichier Parquet est chiffré : envoyez-le sans chiffrement.',
  },
  beyondYears: {
    en: ({ column }: { column: string }) =>
      `“${column}” holds dates before year 1 or after 9999, which no column of dates takes here: it is text, as ISO 8601 writes them.`,
    fr: ({ column }) =>
      fr`« ${column} » contient des dates d’avant l’an 1 ou d’après 9999, qu’aucune colonne de dates n’admet ici : c’est du texte, comme l’ISO 8601 les écrit.`,
  },
  noColumn: {
    en: 'The Parquet file has no column.',
    fr: 'Le fichier Parquet n’a pas de colonne.',
  },
  manyColumns: {
    en: ({ columns, most }: { columns: number; most: number }) =>
      `The file has ${columns} columns; at most ${most} fit into a table.`,
    fr: ({ columns, most }) =>
      fr`Le fichier a ${compte(columns, 'colonne', 'colonnes')} ; au plus ${most} tiennent dans une table.`,
  },
  longCell: {
    en: ({ column, most }: { column: string; most: number }) =>
      `A cell of the column “${column}” is longer than ${most} bytes.`,
    fr: ({ column, most }) =>
      fr`Une cellule de la colonne « ${column} » dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  /** Jobs of earlier versions have stored it. */
  expands: {
    en: 'The Parquet file expands to far more than a file of its size should hold.',
    fr: 'Le fichier Parquet contient, une fois déployé, bien plus que sa taille ne le laisse attendre.',
  },
})
