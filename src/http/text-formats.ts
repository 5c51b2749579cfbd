import { compte, counted, defineMessages, type Message } from '../../pipelines/index.ts'

/** Each completes a sentence that begins with the field. */
export const textMessages = defineMessages('text-format', {
  name: {
    en: ({ most }: { most: number }) =>
      `must have 1 to ${counted(most, 'character', 'characters')} besides white space around it`,
    fr: ({ most }) =>
      `doit avoir de 1 à ${compte(most, 'caractère', 'caractères')}, sans compter les blancs autour`,
  },
  nameOrBlank: {
    en: ({ most }: { most: number }) =>
      `must have at most ${counted(most, 'character', 'characters')} besides white space around it`,
    fr: ({ most }) =>
      `doit avoir au plus ${compte(most, 'caractère', 'caractères')}, sans compter les blancs autour`,
  },
  withoutNul: {
    en: 'must not contain the character NUL',
    fr: 'ne doit pas contenir le caractère nul',
  },
  notBlank: {
    en: 'must not be blank, nor contain the character NUL',
    fr: 'ne doit être ni vide ni blanc, ni contenir le caractère nul',
  },
  apiKey: {
    en: 'must be printable ASCII without white space',
    fr: 'ne doit contenir que des caractères ASCII imprimables, sans blanc',
  },
  address: {
    en: 'must be an address that begins with http:// or https://',
    fr: 'doit être une adresse qui commence par http:// ou https://',
  },
  tableName: {
    en: ({ most }: { most: number }) =>
      `must be 1 to ${most} small letters (a to z), digits and underscores, and must not begin with a digit`,
    fr: ({ most }) =>
      `doit se composer de 1 à ${most} lettres minuscules (a à z), chiffres et tirets bas, et ne doit pas commencer par un chiffre`,
  },
})

const TABLE_NAME = /^\s*[a-z_][a-z0-9_]{0,62}\s*$/
const MAX_TABLE_NAME_CHARACTERS = 63

/** A text format that the service defines itself. */
interface TextFormat {
  /** Null: the domain checks it, since it can say more about what is wrong. */
  readonly accepts: ((text: string) => boolean) | null
  /** Completes the sentence that begins with the field. */
  readonly message: Message
  /** The same in terms that any client understands. */
  readonly documented: { readonly minLength?: number; readonly pattern: string }
}

const MAX_NAME_CHARACTERS = 255

/** Characters as a person counts them, not UTF-16 units. */
const characters = (text: string) => [...text].length

/** PostgreSQL's text can hold every character but U+0000. */
export const WITHOUT_NUL = '^[^\\u0000]*$'

export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  'trimmed-name': {
    accepts: (text) => {
      const trimmed = text.trim()
      return trimmed !== '' && characters(trimmed) <= MAX_NAME_CHARACTERS
    },
    message: textMessages.name({ most: MAX_NAME_CHARACTERS }),
    documented: {
      minLength: 1,
      pattern: `^\\s*[^\\s\\u0000](?:[^\\u0000]{0,${MAX_NAME_CHARACTERS - 2}}[^\\s\\u0000])?\\s*$`,
    },
  },
  'without-nul': {
    accepts: (text) => !text.includes('\0'),
    message: textMessages.withoutNul(),
    documented: { pattern: WITHOUT_NUL },
  },
  'not-blank': {
    accepts: (text) => text.trim() !== '' && !text.includes('\0'),
    message: textMessages.notBlank(),
    documented: { minLength: 1, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' },
  },
  'trimmed-name-or-blank': {
    accepts: null,
    message: textMessages.nameOrBlank({ most: MAX_NAME_CHARACTERS }),
    documented: {
      pattern: `^\\s*(?:[^\\s\\u0000](?:[^\\u0000]{0,${MAX_NAME_CHARACTERS - 2}}[^\\s\\u0000])?\\s*)?$`,
    },
  },
  'api-key-or-blank': {
    accepts: null,
    message: textMessages.apiKey(),
    documented: { pattern: '^\\s*[!-~]{0,4096}\\s*$' },
  },
  'api-key': {
    accepts: null,
    message: textMessages.apiKey(),
    documented: { minLength: 1, pattern: '^\\s*[!-~]{1,4096}\\s*$' },
  },
  'table-name': {
    accepts: (text) => TABLE_NAME.test(text),
    message: textMessages.tableName({ most: MAX_TABLE_NAME_CHARACTERS }),
    documented: { pattern: TABLE_NAME.source },
  },
  'base-url': {
    accepts: null,
    message: textMessages.address(),
    documented: {
      minLength: 8,
      pattern:
        '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f/?#@\\\\|^<>%]+' +
        '(?:/[^\\s\\u0000-\\u001f\\u007f-\\u009f?#\\\\]*)?\\s*$',
    },
  },
}
