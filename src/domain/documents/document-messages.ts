import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const documentMessages = defineMessages('document', {
  missingParts: {
    en: ({ parts }: { parts: readonly string[] }) =>
      `Missing, or not of the announced size: part ${parts.join(', ')}`,
    fr: ({ parts }) =>
      fr`Absentes, ou d’une autre taille que celle annoncée : partie ${parts.join(', ')}`,
  },
  tooLarge: {
    en: ({ most }: { most: number }) => `The file is larger than ${counted(most, 'byte', 'bytes')}`,
    fr: ({ most }) => `Le fichier dépasse ${compte(most, 'octet', 'octets')}`,
  },
  deleted: { en: 'The document was deleted', fr: 'Le document a été supprimé' },
  uploadAborted: { en: 'The upload was aborted', fr: 'Le téléversement a été abandonné' },
  uploadTooSlow: {
    en: 'The upload took too long to be recorded',
    fr: 'L’enregistrement du téléversement a pris trop de temps',
  },
})
