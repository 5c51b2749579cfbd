import { compte, counted, defineMessages } from '../../pipelines/index.ts'

/** Each message completes a sentence that begins with the field. */
export const apiKeyMessages = defineMessages('api-key', {
  empty: { en: 'must not be empty', fr: 'ne doit pas être vide' },
  tooLong: {
    en: ({ most }: { most: number }) =>
      `must have at most ${counted(most, 'character', 'characters')}`,
    fr: ({ most }) => `doit avoir au plus ${compte(most, 'caractère', 'caractères')}`,
  },
  notPrintable: {
    en: 'must be printable ASCII without white space',
    fr: 'ne doit contenir que des caractères ASCII imprimables, sans blanc',
  },
})
