import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const overrideMessages = defineMessages('override', {
  dateFormatOfDate: {
    en: 'dateFormat goes only with the type date',
    fr: 'dateFormat ne va qu’avec le type date',
  },
  patternOfDate: {
    en: 'pattern goes only with the type date',
    fr: 'pattern ne va qu’avec le type date',
  },
  patternOrFormat: {
    en: 'Give a pattern or a dateFormat, not both',
    fr: 'Il peut y avoir pattern ou dateFormat, pas les deux',
  },
  columnTwice: {
    en: ({ name }: { name: string }) => `The column “${name}” is named twice`,
    fr: ({ name }) => fr`La colonne « ${name} » est nommée deux fois`,
  },
})
