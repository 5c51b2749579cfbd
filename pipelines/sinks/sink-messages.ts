import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const sinkMessages = defineMessages('sink', {
  wideRow: {
    en: ({ reason }: { reason: string }) =>
      `A row is wider than PostgreSQL can hold: filled cells in so many columns do not fit into one page. Send fewer columns, or several tables (${reason}).`,
    fr: ({ reason }) =>
      fr`Une ligne est plus large que ce que PostgreSQL peut contenir : des cellules remplies dans autant de colonnes ne tiennent pas dans une page. Envoyez moins de colonnes, ou plusieurs tables (${reason}).`,
  },
  wideRowAt: {
    en: ({ place, reason }: { place: string; reason: string }) =>
      `${place} is wider than PostgreSQL can hold: filled cells in so many columns do not fit into one page. Send fewer columns, or several tables (${reason}).`,
    fr: ({ place, reason }) =>
      fr`${place} : la ligne est plus large que ce que PostgreSQL peut contenir, car des cellules remplies dans autant de colonnes ne tiennent pas dans une page. Envoyez moins de colonnes, ou plusieurs tables (${reason}).`,
  },
  manyColumns: {
    en: ({ reason }: { reason: string }) =>
      `The table has more columns than PostgreSQL can hold (${reason}).`,
    fr: ({ reason }) =>
      `La table a plus de colonnes que ce que PostgreSQL peut contenir (${reason}).`,
  },
})
