import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const overrideMessages = defineMessages('override', {
  dateFormatOfDate: {
    en: 'dateFormat goes with the type date alone',
    fr: 'dateFormat ne va qu’avec le type date',
  },
  patternOfDate: {
    en: 'pattern goes with the type date alone',
    fr: 'pattern ne va qu’avec le type date',
  },
  patternOrFormat: {
    en: 'There may be a pattern or a dateFormat, not both',
    fr: 'Il peut y avoir pattern ou dateFormat, pas les deux',
  },
  columnTwice: {
    en: ({ name }: { name: string }) => `The column “${name}” is named twice`,
    fr: ({ name }) => fr`La colonne « ${name} » est nommée deux fois`,
  },
})
