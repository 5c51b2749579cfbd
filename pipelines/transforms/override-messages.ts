import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const overrideMessages = defineMessages('override', {
  dateFormatOfDate: {
    en: 'dateFormat goes with the type date alone',
    fr: 'dateFormat ne va qu’avec le type date',
  },
  columnTwice: {
    en: ({ name }: { name: string }) => `The column “${name}” is named twice`,
    fr: ({ name }) => fr`La colonne « ${name} » est nommée deux fois`,
  },
})
