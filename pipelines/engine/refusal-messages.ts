import type { KnownNames } from '../core/known-names.ts'
import { butThereAre, compte, fr, maisIlYA } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** Why an input, or a request about it, is refused. */
export const refusalMessages = defineMessages('refusal', {
  noFormat: {
    en: ({ formats }: { formats: readonly string[] }) =>
      `The input is not one of ${formats.join(', ')}`,
    fr: ({ formats }) => fr`L’entrée n’est dans aucun de ces formats : ${formats.join(', ')}`,
  },
  otherFormat: {
    en: ({ named, found }: { named: string; found: string }) =>
      `The option format says ${named}, but the content is ${found}.`,
    fr: ({ named, found }) => fr`L’option format dit ${named}, mais le contenu est ${found}.`,
  },
  unknownContent: { en: 'of an unknown format', fr: 'd’un format inconnu' },
  content: {
    en: ({ format }: { format: string }) => `of the format ${format}`,
    fr: ({ format }) => `du format ${format}`,
  },
  beginning: {
    en: ({ found, beginning }: { found: string; beginning: string }) =>
      `${found}; it begins with “${beginning}”`,
    fr: ({ found, beginning }) => fr`${found} ; il commence par « ${beginning} »`,
  },
  unknownFormat: {
    en: ({ name, known }: { name: string; known: readonly string[] }) =>
      `The format “${name}” is not one of ${known.join(', ')}`,
    fr: ({ name, known }) =>
      fr`Le format « ${name} » n’est pas l’un de ceux-ci : ${known.join(', ')}`,
  },
  nulHeader: {
    en: ({ header }: { header: string }) =>
      `The header “${header}” holds the character NUL (U+0000), which cannot be stored.`,
    fr: ({ header }) =>
      fr`L’en-tête « ${header} » contient le caractère nul (U+0000), qui ne peut pas être enregistré.`,
  },
  longHeaders: {
    en: ({ most }: { most: number }) =>
      `The headers are longer than ${most} bytes together. Where there are none, the option headerRow: 0 says so.`,
    fr: ({ most }) =>
      fr`Les en-têtes dépassent ensemble ${compte(most, 'octet', 'octets')}. S’il n’y en a pas, l’option headerRow: 0 le dit.`,
  },
  /** Said by earlier versions, and kept in the records of their loads. */
  noTableColumn: {
    en: ({ name }: { name: string }) => `The table has no column “${name}”`,
    fr: ({ name }) => fr`La table n’a pas de colonne « ${name} »`,
  },
  otherType: {
    en: ({ name, present, wanted }: { name: string; present: string; wanted: string }) =>
      `The column “${name}” of the table is ${present}, not ${wanted}`,
    fr: ({ name, present, wanted }) =>
      fr`La colonne « ${name} » de la table est du type ${present}, et non ${wanted}`,
  },
  noColumn: {
    en: ({ name, known, others }: { name: string } & KnownNames) =>
      `There is no column “${name}”${butThereAre(known, others)}`,
    fr: ({ name, known, others }) =>
      fr`Il n’y a pas de colonne « ${name} »${maisIlYA(known, others)}`,
  },
  noKeyColumn: {
    en: ({ name, known, others }: { name: string } & KnownNames) =>
      `The key “${name}” is not a column of the input${butThereAre(known, others)}`,
    fr: ({ name, known, others }) =>
      fr`La clé « ${name} » n’est pas une colonne de l’entrée${maisIlYA(known, others)}`,
  },
  noOption: {
    en: ({ name }: { name: string }) => `There is no option “${name}”`,
    fr: ({ name }) => fr`Il n’y a pas d’option « ${name} »`,
  },
  changingSource: {
    en: 'The source gave different rows each time it was read',
    fr: 'La source a donné d’autres lignes à chaque lecture',
  },
})
