import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const dateMessages = defineMessages('date', {
  unknownZone: {
    en: ({ name }: { name: string }) => `Unknown time zone “${name}”`,
    fr: ({ name }) => fr`Fuseau horaire inconnu : « ${name} »`,
  },
  unknownLetters: {
    en: ({ pattern, written }: { pattern: string; written: string }) =>
      `In the pattern “${pattern}”, “${written}” has no meaning. There are yyyy, yy, MMMM, MMM, MM, M, dd, d, EEEE, HH, H, hh, h, a, mm, ss, SSS, u and ZZ; other letters must be in single quotes.`,
    fr: ({ pattern, written }) =>
      fr`Dans le pattern « ${pattern} », « ${written} » ne désigne rien. Il y a yyyy, yy, MMMM, MMM, MM, M, dd, d, EEEE, HH, H, hh, h, a, mm, ss, SSS, u et ZZ ; d’autres lettres se mettent entre apostrophes.`,
  },
  saidTwice: {
    en: (told: { pattern: string; other: string; written: string }) =>
      `In the pattern “${told.pattern}”, “${told.other}” and “${told.written}” say the same.`,
    fr: (told) =>
      fr`Dans le pattern « ${told.pattern} », « ${told.other} » et « ${told.written} » disent la même chose.`,
  },
  openEnded: {
    en: (told: { pattern: string; written: string; next: string }) =>
      `In the pattern “${told.pattern}”, nobody can tell where “${told.written}” ends and “${told.next}” begins: double its letter.`,
    fr: (told) =>
      fr`Dans le pattern « ${told.pattern} », rien ne dit où finit « ${told.written} » et où commence « ${told.next} » : doublez sa lettre.`,
  },
  openQuote: {
    en: ({ pattern }: { pattern: string }) =>
      `In the pattern “${pattern}” a single quote is not closed; doubled, it stands for itself.`,
    fr: ({ pattern }) =>
      fr`Dans le pattern « ${pattern} » une apostrophe n’est pas refermée ; doublée, elle vaut pour elle-même.`,
  },
  fieldMissing: {
    en: ({ pattern, missing, by }: { pattern: string; missing: string; by: string }) =>
      by === ''
        ? `The pattern “${pattern}” lacks “${missing}”.`
        : `The pattern “${pattern}” lacks “${missing}”, which “${by}” needs.`,
    fr: ({ pattern, missing, by }) =>
      by === ''
        ? fr`Il manque « ${missing} » au pattern « ${pattern} ».`
        : fr`Il manque « ${missing} » au pattern « ${pattern} », pour « ${by} ».`,
  },
})
