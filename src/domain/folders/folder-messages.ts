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
  deleted: { en: 'The folder was deleted', fr: 'Le dossier a été supprimé' },
})
