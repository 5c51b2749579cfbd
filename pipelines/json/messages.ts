import { fr } from '../core/language.ts'
import { defineMessages } from '../core/message.ts'

/** About the syntax of JSON, shared by several readers. */
export const jsonTextMessages = defineMessages('json-text', {
  nul: {
    en: 'a string holds the character NUL (\\u0000), which cannot be stored',
    fr: 'un texte contient le caractère nul (\\u0000), qui ne peut pas être enregistré',
  },
  loneSurrogate: {
    en: 'a string holds half of a surrogate pair, which is no character',
    fr: 'un texte contient la moitié d’une paire de substitution, qui n’est pas un caractère',
  },
  noPointer: {
    en: ({ pointer, reason }: { pointer: string; reason: string }) =>
      `The path “${pointer}” is not a JSON Pointer: ${reason}.`,
    fr: ({ pointer, reason }) =>
      fr`Le chemin « ${pointer} » n’est pas un pointeur JSON (JSON Pointer) : ${reason}.`,
  },
  pointerBegins: {
    en: 'it must be empty or begin with /',
    fr: 'il doit être vide ou commencer par /',
  },
  pointerEscapes: {
    en: 'a ~ must be written ~0, a / in a key ~1',
    fr: 'un ~ s’écrit ~0, et un / dans une clé ~1',
  },
})
