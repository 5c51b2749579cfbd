import { defineMessages } from '../core/message.ts'

/** Why a table cannot be where a person says it is. */
export const placementMessages = defineMessages('placement', {
  range: {
    en: 'A range is written like A5:H120 or A:H.',
    fr: 'Une plage s’écrit comme A5:H120 ou A:H.',
  },
  firstRow: {
    en: 'The first row must be below the header.',
    fr: 'La première ligne de données doit se trouver sous l’en-tête.',
  },
  lastRow: {
    en: 'The last row cannot be above the first one.',
    fr: 'La dernière ligne de données ne peut pas se trouver au-dessus de la première.',
  },
  headerRow: {
    en: 'The first line of the header is below its last one.',
    fr: 'La première ligne de l’en-tête se trouve sous sa dernière.',
  },
})
