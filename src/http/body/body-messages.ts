import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const bodyMessages = defineMessages('body', {
  // Each of these completes a sentence that begins with the field.
  noBody: {
    en: 'must be empty: this address takes no body',
    fr: 'doit être vide : cette adresse n’accepte pas de corps',
  },
  percentEncoded: {
    en: 'must be percent-encoded UTF-8',
    fr: 'doit être en UTF-8 avec encodage-pourcent',
  },
  fileName: { en: 'must have a file name', fr: 'doit avoir un nom de fichier' },
  nul: {
    en: 'must not contain the character NUL (U+0000)',
    fr: 'ne doit pas contenir le caractère nul (U+0000)',
  },
  wellFormed: {
    en: 'must be well-formed Unicode',
    fr: 'doit être de l’Unicode bien formé',
  },
  longFileName: {
    en: ({ most }: { most: number }) =>
      `must have a file name of at most ${counted(most, 'character', 'characters')}`,
    fr: ({ most }) =>
      `doit avoir un nom de fichier d’au plus ${compte(most, 'caractère', 'caractères')}`,
  },
  tooLate: {
    en: 'came too late: fields come before the file, which is the last part of the form',
    fr: 'est arrivé trop tard : les champs précèdent le fichier, qui est la dernière partie du formulaire',
  },
  requiredBeforeFile: {
    en: 'is required before the file: fields that follow the file come too late',
    fr: 'est obligatoire avant le fichier : les champs qui suivent le fichier arrivent trop tard',
  },
  twice: { en: 'was sent twice', fr: 'a été envoyé deux fois' },
  tooLong: { en: 'is too long', fr: 'est trop long' },
  unknown: { en: 'is not known here', fr: 'n’est pas connu ici' },

  notJson: {
    en: 'The body must be application/json',
    fr: 'Le corps doit être de type application/json',
  },
  neitherFormNorJson: {
    en: 'The body must be a multipart/form-data form with the file as its last part, or application/json where there is no file',
    fr: 'Le corps doit être un formulaire multipart/form-data dont le fichier est la dernière partie, ou application/json sans fichier',
  },
  absent: { en: 'A JSON body is required', fr: 'Un corps en JSON est nécessaire' },
  tooLarge: {
    en: ({ most }: { most: number }) => `The body is larger than ${counted(most, 'byte', 'bytes')}`,
    fr: ({ most }) => `Le corps dépasse ${compte(most, 'octet', 'octets')}`,
  },
  fileTooLarge: {
    en: ({ most }: { most: number }) => `The file is larger than ${counted(most, 'byte', 'bytes')}`,
    fr: ({ most }) => `Le fichier dépasse ${compte(most, 'octet', 'octets')}`,
  },
  unreadable: { en: 'The body cannot be read', fr: 'Le corps ne peut pas être lu' },
  compression: {
    en: 'The compression of the body is broken',
    fr: 'La compression du corps est défectueuse',
  },
  stalled: {
    en: ({ seconds }: { seconds: number }) =>
      `Nothing more of the body arrived for ${counted(seconds, 'second', 'seconds')}`,
    fr: ({ seconds }) =>
      `Plus rien du corps n’est arrivé pendant ${compte(seconds, 'seconde', 'secondes')}`,
  },
  slow: {
    en: ({ rate }: { rate: number }) =>
      `The body comes at less than ${counted(rate, 'byte', 'bytes')} a second over a minute`,
    fr: ({ rate }) =>
      `Le corps arrive à moins de ${compte(rate, 'octet', 'octets')} par seconde pendant une minute`,
  },
  manyParts: { en: 'The form has too many parts', fr: 'Le formulaire a trop de parties' },
  manyFields: { en: 'The form has too many fields', fr: 'Le formulaire a trop de champs' },
  malformedForm: { en: 'The form is malformed', fr: 'Le formulaire est mal formé' },
  cut: {
    en: 'The upload broke off before its end',
    fr: 'L’envoi s’est interrompu avant la fin',
  },
  noBoundary: {
    en: 'The form names no boundary in its Content-Type',
    fr: 'Le formulaire n’indique pas de boundary dans son Content-Type',
  },
  nameless: {
    en: 'A part of the form has no name',
    fr: 'Une partie du formulaire n’a pas de nom',
  },

  malformedJson: {
    en: 'The body is not well-formed JSON',
    fr: 'Le corps n’est pas du JSON bien formé',
  },
  notUtf8: { en: 'The body is not valid UTF-8', fr: 'Le corps n’est pas de l’UTF-8 valide' },
  keyTwice: {
    en: ({ key }: { key: string }) => `The key “${key}” occurs twice in one object`,
    fr: ({ key }) => fr`La clé « ${key} » figure deux fois dans un même objet`,
  },
  manyKeys: {
    en: ({ most }: { most: number }) => `An object has more than ${counted(most, 'key', 'keys')}`,
    fr: ({ most }) => `Un objet a plus de ${compte(most, 'clé', 'clés')}`,
  },
  nested: {
    en: ({ most }: { most: number }) => `The body is nested deeper than ${most} levels`,
    fr: ({ most }) => `Le corps a plus de ${compte(most, 'niveau', 'niveaux')} d’imbrication`,
  },
  stringOpen: {
    en: ({ at }: { at: number }) => `The string at character ${at} is never closed`,
    fr: ({ at }) => `La chaîne au caractère ${at} n’est jamais fermée`,
  },
  stringInvalid: {
    en: ({ at }: { at: number }) => `The string at character ${at} is not valid JSON`,
    fr: ({ at }) => `La chaîne au caractère ${at} n’est pas du JSON valide`,
  },
  stringNul: {
    en: ({ at }: { at: number }) =>
      `The string at character ${at} contains the character NUL (U+0000)`,
    fr: ({ at }) => `La chaîne au caractère ${at} contient le caractère nul (U+0000)`,
  },
  stringSurrogate: {
    en: ({ at }: { at: number }) => `The string at character ${at} contains half a surrogate pair`,
    fr: ({ at }) => `La chaîne au caractère ${at} contient un caractère Unicode incomplet`,
  },
})
