import type { KnownNames } from '../core/known-names.ts'
import { butThereAre, fr, maisIlYA } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** How headers met columns, and why. */
export const mappingMessages = defineMessages('mapping', {
  byName: { en: 'The same name', fr: 'Le même nom' },
  byFold: {
    en: 'The same name but for case, accents, spaces and punctuation',
    fr: 'Le même nom, à la casse, aux accents, aux espaces et à la ponctuation près',
  },
  byAlias: { en: 'It was recognised before', fr: 'Il a déjà été reconnu' },
  byOthers: {
    en: 'It was recognised in other files of the enterprise',
    fr: 'Il a été reconnu dans d’autres fichiers de l’entreprise',
  },
  mostly: {
    en: ({ times, all }: { times: number; all: number }) => `${times} of ${all} others take it so`,
    fr: ({ times, all }) => `${times} autres sur ${all} le prennent ainsi`,
  },
  byHand: { en: 'Decided by hand', fr: 'Décidé à la main' },
  isNew: { en: 'A new column', fr: 'Une nouvelle colonne' },
  leftByShape: {
    en: 'Unknown headers are left out here',
    fr: 'Les en-têtes inconnus ne sont pas pris ici',
  },
  leftBefore: { en: 'It was left out before', fr: 'Il a déjà été laissé de côté' },

  sameWords: {
    en: 'The same words in another order or number',
    fr: 'Les mêmes mots, dans un autre ordre ou un autre nombre',
  },
  nearly: { en: 'Nearly the same letters', fr: 'Presque les mêmes lettres' },
  contains: {
    en: ({ words }: { words: readonly string[] }) => `Both have “${words.join(' ')}”`,
    fr: ({ words }) => fr`Les deux contiennent « ${words.join(' ')} »`,
  },
  shortened: { en: 'One may shorten the other', fr: 'L’un peut abréger l’autre' },
  samePlace: {
    en: 'It stands where the column was expected',
    fr: 'Il se trouve là où la colonne était attendue',
  },
  onlyType: {
    en: 'The column has no header, and its type fits',
    fr: 'La colonne n’a pas d’en-tête, et son type convient',
  },
  onlyOne: {
    en: 'It is the only column without a header, and the only unknown header',
    fr: 'C’est la seule colonne sans en-tête, et le seul en-tête inconnu',
  },

  noHeader: {
    en: ({ header, known, others }: { header: string } & KnownNames) =>
      `The input has no header “${header}”${butThereAre(known, others)}`,
    fr: ({ header, known, others }) =>
      fr`L’entrée n’a pas d’en-tête « ${header} »${maisIlYA(known, others)}`,
  },
  noColumn: {
    en: ({ column, known, others }: { column: string } & KnownNames) =>
      `There is no column “${column}” to map to${butThereAre(known, others)}`,
    fr: ({ column, known, others }) =>
      fr`Il n’y a pas de colonne « ${column} » à laquelle faire correspondre${maisIlYA(known, others)}`,
  },
  columnTwice: {
    en: ({ column, header, other }: { column: string; header: string; other: string }) =>
      `The headers “${other}” and “${header}” cannot both be the column “${column}”.`,
    fr: ({ column, header, other }) =>
      fr`Les en-têtes « ${other} » et « ${header} » ne peuvent pas tous deux être la colonne « ${column} ».`,
  },
  unknownRefused: {
    en: ({ headers }: { headers: readonly string[] }) =>
      `No column is known for ${headers.map((header) => `“${header}”`).join(', ')}.`,
    fr: ({ headers }) =>
      fr`Aucune colonne n’est connue pour ${headers.map((header) => fr`« ${header} »`).join(', ')}.`,
  },
  missingRefused: {
    en: ({ columns }: { columns: readonly string[] }) =>
      `There is no header for ${columns.map((column) => `“${column}”`).join(', ')}.`,
    fr: ({ columns }) =>
      fr`Il n’y a pas d’en-tête pour ${columns.map((column) => fr`« ${column} »`).join(', ')}.`,
  },
})
