import { defineMessages, fr } from '../../pipelines/index.ts'

export const requestMessages = defineMessages('request', {
  idempotencyKey: {
    en: 'must have 1 to 255 printable ASCII characters',
    fr: 'doit avoir de 1 à 255 caractères ASCII imprimables',
  },
  chunkExtensions: {
    en: 'Chunk extensions are too long',
    fr: 'Les extensions de chunk sont trop longues',
  },
  headersStopped: {
    en: 'The headers stopped coming',
    fr: 'Les en-têtes ont cessé d’arriver',
  },
  notHttp: {
    en: ({ code }: { code: string }) => `The request breaks HTTP (${code})`,
    fr: ({ code }) => `La requête ne respecte pas HTTP (${code})`,
  },
  noHost: { en: 'The header Host is missing', fr: 'L’en-tête Host est absent' },
  noPath: { en: 'The address has no path', fr: 'L’adresse n’a pas de chemin' },
  takes: {
    en: ({ methods }: { methods: string }) => `This address takes ${methods}`,
    fr: ({ methods }) => `Cette adresse accepte ${methods}`,
  },
  noRoute: {
    en: ({ path }: { path: string }) => `There is nothing at ${path}`,
    fr: ({ path }) => `Il n’y a rien à l’adresse ${path}`,
  },
  parentOrEnterprise: {
    en: 'or “parentUuid”: exactly one of the two is required',
    fr: 'ou « parentUuid » : exactement l’un des deux est obligatoire',
  },
  clientOfParent: { en: 'is taken from the parent', fr: 'est repris du dossier parent' },
  rootsBySuperAdmins: {
    en: 'Only super-admins create root folders',
    fr: 'Seuls les super-administrateurs créent des dossiers racines',
  },
  notAnswering: {
    en: ({ parts }: { parts: string }) => `Not answering: ${parts}`,
    fr: ({ parts }) => fr`Sans réponse : ${parts}`,
  },
  excludesFile: {
    en: 'must not come together with a file',
    fr: 'ne doit pas accompagner un fichier',
  },
  optionsJson: { en: 'must be well-formed JSON', fr: 'doit être du JSON bien formé' },
  keyRequired: { en: 'is required with upsert', fr: 'est obligatoire avec upsert' },
  keyUpsertOnly: { en: 'goes with upsert alone', fr: 'ne va qu’avec upsert' },
  linksElsewhere: {
    en: 'The object storage serves its files itself',
    fr: 'Le stockage d’objets délivre lui-même ses fichiers',
  },
  linkForGet: { en: 'A link is for GET alone', fr: 'Un lien ne vaut que pour GET' },
  partsElsewhere: {
    en: 'The object storage takes its parts itself',
    fr: 'Le stockage d’objets reçoit lui-même ses parties',
  },
  starting: {
    en: 'The service is starting; try again',
    fr: 'Le service démarre ; réessayez',
  },
  migrating: {
    en: 'The service is starting: migrating the database; try again later',
    fr: 'Le service démarre : migration de la base de données ; réessayez plus tard',
  },
  leaving: {
    en: 'This process stops soon; another one answers',
    fr: 'Ce processus s’arrête bientôt ; un autre répond',
  },
  stopping: {
    en: 'The service is stopping; nothing was changed',
    fr: 'Le service s’arrête ; rien n’a été modifié',
  },
  noConsolePart: {
    en: 'There is no such part of the console; load it again',
    fr: 'La console n’a pas cette partie ; rechargez-la',
  },
})
