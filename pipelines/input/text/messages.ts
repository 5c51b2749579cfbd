import { fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const inputTextMessages = defineMessages('input-text', {
  notWindows1252: {
    en: ({ sample }: { sample: string }) =>
      `There are signs where letters belong (“${sample}”): this is probably not windows-1252. Name the encoding, such as cp850 or macintosh, by the option encoding.`,
    fr: ({ sample }) =>
      fr`Il y a des signes à la place de lettres (« ${sample} ») : ce n’est sans doute pas du windows-1252. Nommez l’encodage, tel que cp850 ou macintosh, par l’option encoding.`,
  },
  storedTwice: {
    en: ({ sample }: { sample: string }) =>
      `Some letters look misread (“${sample}”): the text was stored in a wrong encoding before.`,
    fr: ({ sample }) =>
      fr`Certaines lettres semblent mal lues (« ${sample} ») : le texte a été enregistré auparavant dans un mauvais encodage.`,
  },
  lettersLost: {
    en: ({ sample }: { sample: string }) => `Some letters were lost before (“${sample}”).`,
    fr: ({ sample }) => fr`Certaines lettres ont été perdues auparavant (« ${sample} »).`,
  },
})
