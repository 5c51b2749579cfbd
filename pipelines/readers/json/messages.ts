import { fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const jsonMessages = defineMessages('json', {
  otherArrays: {
    en: ({ path, others }: { path: string; others: string }) =>
      `Rows were taken from ${path}; ${others} could be meant as well, by the option path.`,
    fr: ({ path, others }) =>
      fr`Les lignes ont été prises de ${path} ; ${others} pourrait aussi être voulu, par l’option path.`,
  },
})
