import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const peopleMessages = defineMessages('people', {
  notAnAddress: {
    en: ({ email }: { email: string }) => `${email} is not an e-mail address`,
    fr: ({ email }) => `${email} n’est pas une adresse électronique`,
  },
  password: {
    en: ({ least, most }: { least: number; most: number }) =>
      `A password has ${least} to ${counted(most, 'character', 'characters')}`,
    fr: ({ least, most }) =>
      `Un mot de passe a de ${least} à ${compte(most, 'caractère', 'caractères')}`,
  },
  name: {
    en: ({ most }: { most: number }) =>
      `A name has 1 to ${counted(most, 'character', 'characters')}`,
    fr: ({ most }) => `Un nom a de 1 à ${compte(most, 'caractère', 'caractères')}`,
  },
  emailTaken: {
    en: ({ email }: { email: string }) => `There is a user ${email} already`,
    fr: ({ email }) => fr`Il y a déjà un utilisateur ${email}`,
  },
  noEnterprise: {
    en: ({ id }: { id: number }) => `There is no enterprise ${id}`,
    fr: ({ id }) => `Il n’y a pas d’entreprise ${id}`,
  },
  noUser: {
    en: ({ email }: { email: string }) => `There is no user ${email}`,
    fr: ({ email }) => `Il n’y a pas d’utilisateur ${email}`,
  },
  disabled: {
    en: ({ email }: { email: string }) => `The user ${email} is disabled`,
    fr: ({ email }) => `L’utilisateur ${email} est désactivé`,
  },
  ownPassword: {
    en: 'is that of your own account: change it with POST /auth/password',
    fr: 'est le vôtre : POST /auth/password le change',
  },
  oneself: {
    en: 'cannot be changed for your own account: another super-admin can do it, or the command line',
    fr: 'ne se change pas soi-même : un autre super-administrateur le fait, ou la ligne de commande',
  },
})
