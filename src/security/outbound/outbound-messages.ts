import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const outboundMessages = defineMessages('outbound', {
  tooSlow: {
    en: ({ seconds }: { seconds: number }) =>
      `The remote application gave no complete answer within ${counted(seconds, 'second', 'seconds')}`,
    fr: ({ seconds }) =>
      `L’application distante n’a pas donné de réponse complète en ${compte(seconds, 'seconde', 'secondes')}`,
  },
  addressRefused: {
    en: 'The address of the remote application is unknown, or neither public nor on the list of allowed ones',
    fr: 'L’adresse de l’application distante est inconnue, ou n’est ni publique ni autorisée',
  },
  lookUp: {
    en: 'The name of the remote application cannot be looked up now',
    fr: 'Le nom de l’application distante ne peut pas être résolu pour le moment',
  },
  connectionFailed: {
    en: 'The connection to the remote application failed',
    fr: 'La connexion à l’application distante a échoué',
  },
  notJson: {
    en: 'The answer of the remote application is not declared as JSON',
    fr: 'La réponse de l’application distante n’est pas déclarée comme du JSON',
  },
  redirect: {
    en: ({ why }: { why: string }) => `A redirect was not followed: ${why}`,
    fr: ({ why }) => fr`Une redirection n’a pas été suivie : ${why}`,
  },
  noTarget: { en: 'it names no target', fr: 'elle n’indique pas de cible' },
  otherOrigin: { en: 'it leads to another origin', fr: 'elle mène à une autre origine' },
  tooManyRedirects: { en: 'there are too many of them', fr: 'il y en a trop' },
  malformedJson: {
    en: 'The answer of the remote application is not well-formed JSON',
    fr: 'La réponse de l’application distante n’est pas du JSON bien formé',
  },
  nested: {
    en: ({ most }: { most: number }) =>
      `The answer of the remote application is nested deeper than ${counted(most, 'level', 'levels')}`,
    fr: ({ most }) =>
      `La réponse de l’application distante a plus de ${compte(most, 'niveau', 'niveaux')} d’imbrication`,
  },
  manyValues: {
    en: ({ most }: { most: number }) =>
      `The answer of the remote application contains more than ${counted(most, 'value', 'values')}`,
    fr: ({ most }) =>
      `La réponse de l’application distante contient plus de ${compte(most, 'valeur', 'valeurs')}`,
  },
  coding: {
    en: 'The answer of the remote application has a content coding that was not asked for',
    fr: 'La réponse de l’application distante a un encodage de contenu qui n’était pas demandé',
  },
  compression: {
    en: 'The compression of the remote application’s answer is damaged',
    fr: 'La compression de la réponse de l’application distante est endommagée',
  },
  tooLarge: {
    en: ({ most }: { most: number }) =>
      `The answer of the remote application is larger than ${counted(most, 'byte', 'bytes')}`,
    fr: ({ most }) =>
      `La réponse de l’application distante dépasse ${compte(most, 'octet', 'octets')}`,
  },
  tooDense: {
    en: ({ times }: { times: number }) =>
      `The answer of the remote application expands to more than ${times} times what was sent`,
    fr: ({ times }) =>
      `La réponse de l’application distante, une fois décompressée, dépasse ${times} fois ce qui a été envoyé`,
  },
})

/** Each message completes a sentence that begins with the field. */
export const baseUrlMessages = defineMessages('base-url', {
  empty: { en: 'must not be empty', fr: 'ne doit pas être vide' },
  whiteSpace: {
    en: 'must not contain white space, control characters or backslashes',
    fr: 'ne doit contenir ni blancs, ni caractères de contrôle, ni barres obliques inverses',
  },
  address: {
    en: 'must be an address that begins with http:// or https://',
    fr: 'doit être une adresse qui commence par http:// ou https://',
  },
  host: {
    en: 'has an impossible host or port',
    fr: 'a un hôte ou un port qui ne peut pas exister',
  },
  credentials: {
    en: 'must not contain credentials',
    fr: 'ne doit pas contenir d’identifiants',
  },
  query: { en: 'must not contain a query', fr: 'ne doit pas contenir de paramètres après « ? »' },
  fragment: { en: 'must not contain a fragment', fr: 'ne doit pas contenir de fragment' },
  tooLong: {
    en: ({ most }: { most: number }) =>
      `must have at most ${counted(most, 'character', 'characters')}`,
    fr: ({ most }) => `doit avoir au plus ${compte(most, 'caractère', 'caractères')}`,
  },
})
