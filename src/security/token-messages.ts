import { defineMessages } from '../../pipelines/index.ts'

export const tokenMessages = defineMessages('token', {
  keysAway: {
    en: 'The identity provider does not provide its keys, so the token cannot be checked',
    fr: 'Le fournisseur d’identité ne donne pas de clés pour vérifier le jeton',
  },
})
