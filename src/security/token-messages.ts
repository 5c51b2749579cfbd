import { defineMessages } from '../../pipelines/index.ts'

export const tokenMessages = defineMessages('token', {
  keysAway: {
    en: 'The identity provider gives no keys to check the token with',
    fr: 'Le fournisseur d’identité ne donne pas de clés pour vérifier le jeton',
  },
})
