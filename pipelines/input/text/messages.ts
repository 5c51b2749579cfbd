import { fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const inputTextMessages = defineMessages('input-text', {
  notWindows1252: {
    en: ({ sample }: { sample: string }) =>
      `There are symbols where letters belong (“${sample}”): this is probably not windows-1252. Name the encoding, such as cp850 or macintosh, with the option encoding.`,
    fr: ({ sample }) =>
      fr`Il y a des signes à la place de lettres (« ${sample} ») : ce n’est sans doute pas du windows-1252. Nommez l’encodage, tel que cp850 ou macintosh, par l’option encoding.`,
  },
  readIn: {
    en: ({ page }: { page: string }) => `Read the file in ${page}.`,
    fr: ({ page }) => fr`Lire le fichier en ${page}.`,
  },
  otherPages: {
    en: ({ sample, pages }: { sample: string; pages: readonly string[] }) =>
      `The text was read as windows-1252 (“${sample}”), but has words in ${pages.join(', ')}. If they are right, name that encoding with the option encoding.`,
    fr: ({ sample, pages }) =>
      fr`Le texte a été lu en windows-1252 (« ${sample} »), mais il a des mots en ${pages.join(', ')}. S’ils sont justes, nommez cet encodage par l’option encoding.`,
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
  notInEncoding: {
    en: ({ line, encoding }: { line: number; encoding: string }) =>
      `Line ${line} holds bytes that are not ${encoding}.`,
    fr: ({ line, encoding }) =>
      `La ligne ${line} contient des octets qui ne sont pas du ${encoding}.`,
  },
  unknownEncoding: {
    en: ({ label }: { label: string }) =>
      `The encoding “${label}” is not known; use a name such as utf-8, windows-1252, cp850, macintosh or utf-16le.`,
    fr: ({ label }) =>
      fr`L’encodage « ${label} » n’est pas connu ; utilisez un nom tel que utf-8, windows-1252, cp850, macintosh ou utf-16le.`,
  },
  utf32: {
    en: () => 'The file is written in UTF-32, which is not read: save it in UTF-8.',
    fr: () => fr`Le fichier est écrit en UTF-32, qui n’est pas lu : enregistrez-le en UTF-8.`,
  },
  binary: {
    en: ({ start }: { start: string }) =>
      `The file holds binary data of an unknown kind (it begins with the bytes ${start}): send CSV, JSON or an .xlsx workbook.`,
    fr: ({ start }) =>
      fr`Le fichier contient des données binaires d’un genre inconnu (il commence par les octets ${start}) : envoyez du CSV, du JSON ou un classeur .xlsx.`,
  },
})
