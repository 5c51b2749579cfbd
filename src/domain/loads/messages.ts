import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'

export const loadMessages = defineMessages('load', {
  columnStays: {
    en: ({ name, why }: { name: string; why: string }) =>
      `“${name}” is not sent any more: the column stays, empty, since ${why}`,
    fr: ({ name, why }) => fr`« ${name} » n’est plus envoyée : la colonne reste, vide, car ${why}`,
  },
  leftOut: {
    en: ({ count }: { count: number }) =>
      `${counted(count, 'row was', 'rows were')} left out: what they correct was corrected before.`,
    fr: ({ count }) =>
      fr`${compte(count, 'ligne a été laissée', 'lignes ont été laissées')} de côté : ce qu’elles corrigent avait déjà été corrigé.`,
  },
  staysStaged: {
    en: ({ before, after, most }: { before: number; after: number; most: number }) =>
      `The load stays staged: it has ${counted(after, 'row', 'rows')} in the place of ${counted(before, 'row', 'rows')}, and more than ${most} % of them would be lost.`,
    fr: ({ before, after, most }) =>
      fr`Le chargement reste en attente : il a ${compte(after, 'ligne', 'lignes')} au lieu de ${compte(before, 'ligne', 'lignes')}, et plus de ${most}\u00a0% seraient perdues.`,
  },
  rowsLost: {
    en: ({ before, after }: { before: number; after: number }) =>
      `More than half of the rows are gone: there were ${counted(before, 'row', 'rows')}, there are ${counted(after, 'row', 'rows')}.`,
    fr: ({ before, after }) =>
      fr`Plus de la moitié des lignes ont disparu : il y avait ${compte(before, 'ligne', 'lignes')}, il y a ${compte(after, 'ligne', 'lignes')}.`,
  },
  droppedByOthers: {
    en: ({ table }: { table: string }) =>
      `The table ${table} was dropped by others, with the rows that were to stay; reload the source`,
    fr: ({ table }) =>
      fr`La table ${table} a été supprimée par d’autres, avec les lignes qui devaient rester ; rechargez la source`,
  },
  othersDepend: {
    en: 'Others depend on what would have to go',
    fr: 'D’autres objets dépendent de ce qui devrait disparaître',
  },
  referenceForbids: {
    en: 'A reference that others have made to or from the table forbids the change',
    fr: 'Une référence que d’autres ont créée vers la table ou depuis elle interdit la modification',
  },
  conditionForbids: {
    en: 'A condition that others have put on the table forbids some of the rows',
    fr: 'Une condition que d’autres ont posée sur la table interdit certaines des lignes',
  },
  interrupted: {
    en: 'The process that loaded ended before it was done',
    fr: 'Le processus qui chargeait s’est terminé avant la fin',
  },
  outcomeUnknown: {
    en: 'The connection to the database was lost while the rows were being published; look at the source before trying again',
    fr: 'La connexion à la base de données a été perdue pendant la publication des lignes ; regardez la source avant de réessayer',
  },
  takenOver: {
    en: 'The database was away for too long; the load was given up, and nothing was changed',
    fr: 'La base de données a été absente trop longtemps ; le chargement a été abandonné et rien n’a été modifié',
  },
  notStaged: {
    en: 'Only a load that is staged can be published: this one is not, or not any more',
    fr: 'Seul un chargement en attente (staged) peut être publié : celui-ci ne l’est pas, ou plus',
  },
  columnsGone: {
    en: ({ columns }: { columns: readonly string[] }) =>
      `The load would add rows to columns that the table does not have any more: ${columns.map((name) => `“${name}”`).join(', ')}`,
    fr: ({ columns }) =>
      fr`Le chargement ajouterait des lignes à des colonnes que la table n’a plus : ${columns.map((name) => fr`« ${name} »`).join(', ')}`,
  },
  notRemovable: {
    en: ({ state }: { state: string }) =>
      `Only a load that is staged, or one that was appended and is current, can be removed: this one is ${state}`,
    fr: ({ state }) =>
      fr`Seul un chargement en attente (staged), ou un ajout actuel (current), peut être retiré : celui-ci est ${state}`,
  },
  tableStays: {
    en: ({ table, dependents }: { table: string; dependents: string }) =>
      `The table ${table} cannot be deleted: ${dependents}`,
    fr: ({ table, dependents }) => fr`La table ${table} ne peut pas être supprimée : ${dependents}`,
  },
  noEarlierState: {
    en: 'No earlier state of the source is kept',
    fr: 'Aucun état antérieur de la source n’est conservé',
  },
  shownAlready: {
    en: 'The source shows the state after this load already',
    fr: 'La source montre déjà l’état qui suit ce chargement',
  },
  stateNotKept: {
    en: 'The state after this load is not kept',
    fr: 'L’état qui suit ce chargement n’est pas conservé',
  },
  firstOfState: {
    en: 'The rows that are shown begin with this load: reload the source, or delete it',
    fr: 'Les lignes affichées commencent par ce chargement : rechargez la source, ou supprimez-la',
  },
  merged: {
    en: 'The rows of the load were merged with those of others, and cannot be told apart any more',
    fr: 'Les lignes du chargement ont été réunies à celles d’autres chargements et ne s’en distinguent plus',
  },
  hasReplaced: {
    en: 'The load has replaced rows of others, which would be missing without it',
    fr: 'Le chargement a remplacé des lignes d’autres chargements, qui manqueraient sans lui',
  },
  noUpsertOnCitus: {
    en: 'Rows of a table that Citus distributes cannot be replaced by a key: append them, or replace all',
    fr: 'Les lignes d’une table distribuée par Citus ne peuvent pas être remplacées par une clé : ajoutez-les, ou remplacez tout',
  },
  removed: {
    en: 'The rows of the load were removed',
    fr: 'Les lignes du chargement ont été retirées',
  },
  stillInUse: {
    en: 'Others read the table for too long; nothing was changed',
    fr: 'D’autres ont lu la table trop longtemps ; rien n’a été modifié',
  },
})
