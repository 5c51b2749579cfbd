import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

export const dateMessages = defineMessages('date', {
  unknownZone: {
    en: ({ name }: { name: string }) => `Unknown time zone “${name}”`,
    fr: ({ name }) => fr`Fuseau horaire inconnu : « ${name} »`,
  },
})
