import { compte, counted, defineMessages, fr } from '../../pipelines/index.ts'

/** Why a load, or a change to what loads have brought, was not done, and what to look at. */
export const loadMessages = defineMessages('load', {
  beganRows: {
    en: 'The rows that are shown begin with this load: reload the source, or delete it',
    fr: 'Les lignes affichées commencent par ce chargement : rechargez la source, ou supprimez-la',
  },
  mixed: {
    en: 'The rows of this load were mixed with those of others, and can no longer be told apart',
    fr: 'Les lignes du chargement ont été mêlées à d’autres et ne peuvent plus en être distinguées',
  },
  replacedOthers: {
    en: 'This load replaced rows of other loads, which would be missing without it',
    fr: 'Le chargement a remplacé des lignes d’autres chargements, qui manqueraient sans lui',
  },
  notStaged: {
    en: 'Only a staged load can be published: this one is not, or no longer',
    fr: 'Seul un chargement en attente peut être publié : celui-ci ne l’est pas, ou ne l’est plus',
  },
  columnsGone: {
    en: ({ columns }: { columns: readonly string[] }) =>
      `The table no longer has columns that the load would add rows to: ${columns.map((name) => `“${name}”`).join(', ')}`,
    fr: ({ columns }) =>
      fr`La table n’a plus ce à quoi le chargement ajouterait des lignes : ${columns.map((name) => fr`« ${name} »`).join(', ')}`,
  },
  notRemovable: {
    en: ({ state }: { state: string }) =>
      `Only a load that is staged, or one that was appended and is current, can be removed: this one is ${state}`,
    fr: ({ state }) =>
      fr`Seul un chargement en attente, ou ajouté et affiché, peut être retiré : celui-ci est ${state}`,
  },
  noneKept: {
    en: 'No earlier state of the source is kept',
    fr: 'Aucun état antérieur de la source n’est conservé',
  },
  shownAlready: {
    en: 'The source already shows the state after this load',
    fr: 'La source affiche déjà l’état d’après ce chargement',
  },
  notKept: {
    en: 'The state after this load is not kept',
    fr: 'L’état d’après ce chargement n’est pas conservé',
  },
  outcomeUnknown: {
    en: 'The connection was lost while the rows were being made visible; look at the source before trying again',
    fr: 'La connexion a été perdue pendant la publication des lignes ; regardez la source avant de réessayer',
  },
  takenOver: {
    en: 'The database was unavailable for too long, so the load was taken for abandoned; nothing was changed',
    fr: 'La base de données a été absente trop longtemps ; le chargement a été tenu pour abandonné, et rien n’a été modifié',
  },
  interrupted: {
    en: 'The process that ran the load ended before it was done',
    fr: 'Le processus qui chargeait s’est arrêté avant la fin',
  },
  columnStays: {
    en: ({ name, why }: { name: string; why: string }) =>
      `“${name}” is no longer sent: the column stays, empty, because ${why}`,
    fr: ({ name, why }) => fr`« ${name} » n’est plus envoyée : la colonne reste, vide, car ${why}`,
  },
  leftOut: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'row was', 'rows were')} left out: what they correct had already been corrected.`,
    fr: ({ count }) =>
      fr`${compte(count, 'ligne a été laissée', 'lignes ont été laissées')} de côté : ce qu’elles corrigent avait déjà été corrigé.`,
  },
  notDistributed: {
    en: 'The table stays on the coordinator of the cluster: Citus cannot distribute it with what others have added to it, such as a reference or a trigger.',
    fr: 'La table reste sur le coordinateur du cluster : Citus ne peut pas la répartir avec ce que d’autres y ont ajouté, une référence ou un déclencheur par exemple.',
  },
  staysStaged: {
    en: ({ before, after, most }: { before: number; after: number; most: number }) =>
      `The load stays staged: it has ${counted(after, 'row', 'rows')} in the place of ${counted(before, 'row', 'rows')}, and more than ${most} % of them would be lost.`,
    fr: ({ before, after, most }) =>
      fr`Le chargement reste en attente : il a ${compte(after, 'ligne', 'lignes')} au lieu de ${compte(before, 'ligne', 'lignes')}, et plus de ${most} % seraient perdues.`,
  },
  asks: {
    en: ({ count }: { count: number }) =>
      `The load stays staged: ${counted(count, 'question has', 'questions have')} to be answered before it is published.`,
    fr: ({ count }) =>
      fr`Le chargement reste en attente : ${compte(count, 'question attend', 'questions attendent')} une réponse avant sa publication.`,
  },
  rowsLost: {
    en: ({ before, after }: { before: number; after: number }) =>
      `More than half of the rows are gone: there were ${counted(before, 'row', 'rows')}, there are ${counted(after, 'row', 'rows')}.`,
    fr: ({ before, after }) =>
      fr`Plus de la moitié des lignes ont disparu : il y avait ${compte(before, 'ligne', 'lignes')}, il y a ${compte(after, 'ligne', 'lignes')}.`,
  },
  removed: {
    en: 'The rows of the load were removed',
    fr: 'Les lignes du chargement ont été retirées',
  },
})
