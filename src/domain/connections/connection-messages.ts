import { compte, counted, defineMessages } from '../../../pipelines/index.ts'

export const connectionMessages = defineMessages('connection', {
  // Each of these messages completes a sentence that begins with the field.
  blankName: {
    en: 'must not be blank when no apiKey is given',
    fr: 'ne doit pas être vide si apiKey n’est pas donné',
  },
  blankKey: {
    en: 'must not be blank when no name is given',
    fr: 'ne doit pas être vide si name n’est pas donné',
  },
  name: {
    en: ({ most }: { most: number }) =>
      `must have 1 to ${counted(most, 'character', 'characters')} besides white space around it`,
    fr: ({ most }) =>
      `doit avoir de 1 à ${compte(most, 'caractère', 'caractères')}, sans compter les blancs autour`,
  },
  masterKeyMissing: {
    en: 'The key of this connection was encrypted with a master key that is not configured',
    fr: 'La clé de cette connexion a été chiffrée avec une clé maîtresse qui n’est pas configurée',
  },
  keyUnreadable: {
    en: 'The stored key of this connection cannot be read; give the connection a new key',
    fr: 'La clé enregistrée de cette connexion ne peut pas être lue ; donnez une nouvelle clé à la connexion',
  },
  deleted: {
    en: 'The API connection was deleted',
    fr: 'La connexion API a été supprimée',
  },
})
