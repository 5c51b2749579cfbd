import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

/** Why a collection is refused, and what is said of one. */
export const collectionMessages = defineMessages('collection', {
  deadlinePassed: { en: 'has passed already', fr: 'est déjà passée' },
  nothingAwaited: {
    en: 'Nothing is awaited in this slot',
    fr: 'Rien n’est attendu dans cette case',
  },
  remindedToday: {
    en: 'The sender was reminded less than a day ago',
    fr: 'L’expéditeur a été relancé il y a moins d’un jour',
  },
  keyTwice: {
    en: ({ key }: { key: string }) => `is the key of another sender: “${key}”`,
    fr: ({ key }) => fr`est la clé d’un autre expéditeur : « ${key} »`,
  },
  keyAlike: {
    en: ({ key, other }: { key: string; other: string }) =>
      `cannot be told from the key of another sender: “${key}” and “${other}”`,
    fr: ({ key, other }) =>
      fr`ne se distingue pas de la clé d’un autre expéditeur : « ${key} » et « ${other} »`,
  },
  blankKey: {
    en: 'needs a letter or a digit',
    fr: 'doit contenir une lettre ou un chiffre',
  },
  notAnAddress: { en: 'is not an e-mail address', fr: 'n’est pas une adresse électronique' },
  periodTwice: {
    en: ({ label }: { label: string }) => `is a period already: “${label}”`,
    fr: ({ label }) => fr`est déjà une période : « ${label} »`,
  },
  manySenders: {
    en: ({ most }: { most: number }) => `are too many: a collection has at most ${most} senders`,
    fr: ({ most }) => fr`sont trop nombreux : une collecte a au plus ${most} expéditeurs`,
  },
  manySlots: {
    en: ({ most, senders, periods }: { most: number; senders: number; periods: number }) =>
      `asks for too many slots: ${counted(senders, 'sender', 'senders')} in ${counted(periods, 'period', 'periods')}; ` +
      `a collection has at most ${most} slots`,
    fr: ({ most, senders, periods }) =>
      fr`demande trop de cases : ${compte(senders, 'expéditeur', 'expéditeurs')} et ${compte(periods, 'période', 'périodes')} ; une collecte a au plus ${most} cases`,
  },
  manyTries: {
    en: ({ most, minutes }: { most: number; minutes: number }) =>
      `${counted(most, 'file was', 'files were')} read within an hour; the next is taken in ${counted(minutes, 'minute', 'minutes')}`,
    fr: ({ most, minutes }) =>
      fr`${compte(most, 'fichier a été lu', 'fichiers ont été lus')} en une heure ; le prochain sera pris dans ${compte(minutes, 'minute', 'minutes')}`,
  },
  manyBegun: {
    en: ({ most, minutes }: { most: number; minutes: number }) =>
      `${counted(most, 'upload was', 'uploads were')} begun within an hour; the next can begin in ${counted(minutes, 'minute', 'minutes')}`,
    fr: ({ most, minutes }) =>
      fr`${compte(most, 'envoi a été commencé', 'envois ont été commencés')} en une heure ; le prochain pourra commencer dans ${compte(minutes, 'minute', 'minutes')}`,
  },
  manyUploads: {
    en: ({ most }: { most: number }) =>
      `${counted(most, 'upload of this link is', 'uploads of this link are')} under way; give one up, or deliver it`,
    fr: ({ most }) =>
      fr`${compte(most, 'envoi de ce lien est', 'envois de ce lien sont')} en cours ; abandonnez-en un, ou remettez-le`,
  },
  uploadNotCompleted: {
    en: 'Its parts were not joined yet: complete the upload first',
    fr: 'Ses parties ne sont pas encore réunies : terminez d’abord l’envoi',
  },
  notAsked: {
    en: ({ name }: { name: string }) => `names a column that is not asked for: “${name}”`,
    fr: ({ name }) => fr`nomme une colonne qui n’est pas demandée : « ${name} »`,
  },
  askedChanged: {
    en: ({ columns }: { columns: readonly string[] }) =>
      `What is asked for has changed since you looked: ${columns.map((name) => `“${name}”`).join(', ')}. Look at it again, then send the file`,
    fr: ({ columns }) =>
      fr`Ce qui est demandé a changé depuis que vous l’avez vu : ${columns.map((name) => fr`« ${name} »`).join(', ')}. Relisez-le, puis envoyez le fichier`,
  },
  columnAdded: { en: 'is asked for by now', fr: 'est désormais demandée' },
  columnGone: { en: 'is not asked for any more', fr: 'n’est plus demandée' },
  columnChanged: { en: 'is asked for in another way', fr: 'est demandée autrement' },
  nothingWaits: {
    en: 'Nothing waits for approval in this slot',
    fr: 'Rien n’attend d’approbation dans cette case',
  },
  nothingCame: {
    en: 'Nothing came into this slot that could be returned',
    fr: 'Rien n’est arrivé dans cette case qui puisse être renvoyé',
  },
  anotherCame: {
    en: 'Another file has come into this slot since you looked. Look at it, then decide',
    fr: 'Un autre fichier est arrivé dans cette case depuis que vous l’avez regardée. Regardez-le, puis décidez',
  },
  decidedMeanwhile: {
    en: 'Somebody has decided about this file since you looked. Look again, then decide',
    fr: 'Quelqu’un a décidé de ce fichier depuis que vous l’avez regardé. Regardez de nouveau, puis décidez',
  },
  collected: {
    en: ({ names }: { names: readonly string[] }) =>
      `The source is being collected: ${names.map((name) => `“${name}”`).join(', ')}`,
    fr: ({ names }) =>
      fr`La source fait l’objet d’une collecte : ${names.map((name) => fr`« ${name} »`).join(', ')}`,
  },
  approveInstead: {
    en: 'The load is a delivery; approve it at its slot',
    fr: 'Le chargement est un envoi ; approuvez-le à sa case',
  },
  removed: {
    en: 'The collection is deleted. Its links are dead, and the rows stay in the table',
    fr: 'La collecte est supprimée. Ses liens sont morts, et les lignes restent dans la table',
  },
  senderRemoved: {
    en: 'The sender is deleted. Their links are dead, and their rows stay in the table',
    fr: 'L’expéditeur est supprimé. Ses liens sont morts, et ses lignes restent dans la table',
  },
  labelTaken: {
    en: ({ name }: { name: string }) => `is taken by another column: “${name}”`,
    fr: ({ name }) => fr`est pris par une autre colonne : « ${name} »`,
  },
  labelsAlike: {
    en: 'is the column of the senders already',
    fr: 'est déjà la colonne des expéditeurs',
  },
})
