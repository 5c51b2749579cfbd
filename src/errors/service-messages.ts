import { defineMessages, fr } from '../../pipelines/index.ts'

/** About the service itself, and what it depends on. */
export const serviceMessages = defineMessages('service', {
  databaseAway: {
    en: 'The database does not answer',
    fr: 'La base de données ne répond pas',
  },
  mayBeChanged: {
    en: 'The database went away while the change was being made, or just after: check whether it was made before trying again',
    fr: 'La base de données s’est absentée pendant la modification, ou juste après : vérifiez si elle est faite avant de réessayer',
  },
  nodeAway: {
    en: 'A node of the database cluster cannot be reached',
    fr: 'Un nœud du cluster de base de données est injoignable',
  },
  storageAway: {
    en: 'The object storage does not answer',
    fr: 'Le stockage d’objets ne répond pas',
  },
  storageFull: { en: 'The object storage is full', fr: 'Le stockage d’objets est plein' },
  temporaryFull: {
    en: 'The disk for temporary files is full',
    fr: 'Le disque des fichiers temporaires est plein',
  },
  fileMissing: { en: 'The stored file is missing', fr: 'Le fichier enregistré est absent' },
  rangeBeyondEnd: {
    en: 'The range begins past the end of the object',
    fr: 'La plage commence après la fin de l’objet',
  },
  storageRefuses: {
    en: 'The object storage does not accept this: a part or a size is not as announced',
    fr: 'Le stockage d’objets n’accepte pas cela : une partie ou une taille n’est pas celle annoncée',
  },
  filesReplaced: {
    en: 'The files of the service were replaced while it ran; it has to be restarted',
    fr: 'Les fichiers du service ont été remplacés pendant qu’il tournait ; il faut le redémarrer',
  },
  laterVersion: {
    en: 'The database is of a later version than this process, which ends; another one answers soon',
    fr: 'La base de données est d’une version plus récente que ce processus, qui s’arrête ; un autre répondra bientôt',
  },
  longPage: {
    en: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `These items are more than ${bytes} bytes; limit=${limit} would do`,
    fr: ({ bytes, limit }) =>
      fr`Ces éléments font plus de ${bytes} octets ; limit=${limit} conviendrait`,
  },
  statementTimeout: {
    en: 'The database needs longer for this than STATEMENT_TIMEOUT allows',
    fr: 'La base de données a besoin pour cela de plus de temps que STATEMENT_TIMEOUT ne le permet',
  },
})
