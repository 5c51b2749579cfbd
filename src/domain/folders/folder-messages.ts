import { defineMessages } from '../../../pipelines/index.ts'

export const folderMessages = defineMessages('folder', {
  otherEnterprise: {
    en: 'belongs to another enterprise',
    fr: 'appartient à une autre entreprise',
  },
  notAUser: { en: 'is not the id of a user', fr: 'n’est pas l’identifiant d’un utilisateur' },
  parentDeleted: {
    en: 'Its parent is deleted: restore the parent first',
    fr: 'Son dossier parent est supprimé : restaurez d’abord le parent',
  },
  placeTaken: {
    en: 'The enterprise has another active root folder by now: delete that one first',
    fr: 'L’entreprise a désormais un autre dossier racine actif : supprimez d’abord celui-ci',
  },
  fileRefused: {
    en: ({ code }: { code: string }) =>
      `The object storage refused${code === '' ? '' : ` (${code})`}`,
    fr: ({ code }) => `Le stockage d’objets a refusé${code === '' ? '' : ` (${code})`}`,
  },
  storageUnavailable: {
    en: 'The object storage could not be used: delete the folder again later',
    fr: 'Le stockage d’objets n’a pas pu être utilisé : relancez la suppression plus tard',
  },
  fileUntold: {
    en: 'The object storage did not say what became of it',
    fr: 'Le stockage d’objets n’a pas dit ce qu’il en est',
  },
  deleted: { en: 'The folder was deleted', fr: 'Le dossier a été supprimé' },
})
