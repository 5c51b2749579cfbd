import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const authMessages = defineMessages('auth', {
  issuedElsewhere: {
    en: 'Tokens are issued elsewhere',
    fr: 'Les jetons sont délivrés ailleurs',
  },
  notCurrentPassword: {
    en: 'is not the current password',
    fr: 'n’est pas le mot de passe actuel',
  },
  tryAgain: {
    en: ({ seconds }: { seconds: number }) =>
      `Try again in ${counted(seconds, 'second', 'seconds')}`,
    fr: ({ seconds }) => `Réessayez dans ${compte(seconds, 'seconde', 'secondes')}`,
  },
  manyAtOnce: {
    en: 'Too many sign-ins of this account or from this address are under way',
    fr: 'Trop de connexions de ce compte ou de cette adresse sont en cours',
  },
  noTokenByToken: {
    en: 'A personal access token cannot make another one: sign in to do so',
    fr: 'Un jeton d’accès personnel ne peut pas en créer un autre : connectez-vous pour le faire',
  },
  inTheFuture: { en: 'must be in the future', fr: 'doit être dans le futur' },
  manyTokens: {
    en: ({ most }: { most: number }) => `There are ${counted(most, 'token', 'tokens')} already`,
    fr: ({ most }) => fr`Il y a déjà ${compte(most, 'jeton', 'jetons')}`,
  },
  passwordChanged: {
    en: 'The password was changed; all other sessions have ended',
    fr: 'Le mot de passe a été changé ; toutes les autres sessions sont terminées',
  },
  tokenDeleted: {
    en: 'The personal access token was deleted',
    fr: 'Le jeton d’accès personnel a été supprimé',
  },
  noEnterprise: {
    en: 'You belong to no enterprise',
    fr: 'Vous n’appartenez à aucune entreprise',
  },
  otherEnterprise: {
    en: 'Only a super-admin may act for another enterprise',
    fr: 'Seul un super-administrateur peut agir pour une autre entreprise',
  },
  enterpriseRequired: {
    en: 'is required of a super-admin who has no enterprise',
    fr: 'est obligatoire pour un super-administrateur sans entreprise',
  },
})
