import { compte, counted, defineMessages, fr } from '../../pipelines/index.ts'

/** About a remote application that was asked for forms or cards. */
export const connectorMessages = defineMessages('connector', {
  keyRefused: {
    en: 'The API key is invalid or was revoked.',
    fr: 'Clé API invalide ou révoquée.',
  },
  noForm: {
    en: 'The remote application has no such form',
    fr: 'L’application distante n’a pas ce formulaire',
  },
  noCard: {
    en: 'The remote application has no such card',
    fr: 'L’application distante n’a pas cette fiche',
  },
  asksToWait: {
    en: ({ seconds }: { seconds: number }) =>
      `The remote application asks to wait ${counted(seconds, 'second', 'seconds')}`,
    fr: ({ seconds }) =>
      `L’application distante demande d’attendre ${compte(seconds, 'seconde', 'secondes')}`,
  },
  status: {
    en: ({ status }: { status: number }) => `The remote application answered with status ${status}`,
    fr: ({ status }) => `L’application distante a répondu avec le statut ${status}`,
  },
  shape: {
    en: ({ pointer }: { pointer: string }) =>
      `The remote application’s answer does not have the documented shape at ${pointer}`,
    fr: ({ pointer }) =>
      `La réponse de l’application distante n’a pas la forme documentée, à l’endroit ${pointer}`,
  },
  anotherForm: {
    en: 'The remote application described another form',
    fr: 'L’application distante a décrit un autre formulaire',
  },
  anotherCard: {
    en: 'The remote application described another card',
    fr: 'L’application distante a décrit une autre fiche',
  },
  counts: {
    en: ({ sent, told }: { sent: number; told: number }) =>
      `The remote application sent ${counted(sent, 'record', 'records')} and reports that it has ${told}`,
    fr: ({ sent, told }) =>
      `L’application distante a envoyé ${compte(sent, 'enregistrement', 'enregistrements')} et dit en avoir ${told}`,
  },
  cursorTwice: {
    en: 'The remote application gave the same cursor twice',
    fr: 'L’application distante a donné deux fois le même curseur',
  },
  answer: {
    en: ({ fault }: { fault: string }) => `The remote application’s answer: ${fault}`,
    fr: ({ fault }) => fr`La réponse de l’application distante : ${fault}`,
  },
  emptyPages: {
    en: ({ pages }: { pages: number }) =>
      `The remote application sent ${counted(pages, 'page', 'pages')} without a record, and continues`,
    fr: ({ pages }) =>
      `L’application distante a envoyé ${compte(pages, 'page', 'pages')} sans enregistrement, et continue`,
  },
  manyPages: {
    en: ({ most }: { most: number }) =>
      `The remote application has more than ${counted(most, 'page', 'pages')}`,
    fr: ({ most }) => `L’application distante a plus de ${compte(most, 'page', 'pages')}`,
  },
  manyRecords: {
    en: ({ most }: { most: number }) =>
      `The remote application has more than ${counted(most, 'record', 'records')}`,
    fr: ({ most }) =>
      `L’application distante a plus de ${compte(most, 'enregistrement', 'enregistrements')}`,
  },
  manyBytes: {
    en: ({ most }: { most: number }) =>
      `The remote application has more than ${counted(most, 'byte', 'bytes')}`,
    fr: ({ most }) => `L’application distante a plus de ${compte(most, 'octet', 'octets')}`,
  },
  loadTooSlow: {
    en: ({ seconds }: { seconds: number }) =>
      `The load took longer than ${counted(seconds, 'second', 'seconds')}`,
    fr: ({ seconds }) => `Le chargement a pris plus de ${compte(seconds, 'seconde', 'secondes')}`,
  },
  formNotSupported: {
    en: ({ type }: { type: string }) => `A connection of type ${type} has no forms`,
    fr: ({ type }) => `Une connexion de type ${type} n’a pas de formulaires`,
  },
  cardNotSupported: {
    en: ({ type }: { type: string }) => `A connection of type ${type} has no cards`,
    fr: ({ type }) => `Une connexion de type ${type} n’a pas de fiches`,
  },
})
