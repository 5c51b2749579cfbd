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
      fr`Le chargement reste en attente : il a ${compte(after, 'ligne', 'lignes')} au lieu de ${compte(before, 'ligne', 'lignes')}, et plus de ${most} % seraient perdues.`,
  },
  rowsLost: {
    en: ({ before, after }: { before: number; after: number }) =>
      `More than half of the rows are gone: there were ${counted(before, 'row', 'rows')}, there are ${counted(after, 'row', 'rows')}.`,
    fr: ({ before, after }) =>
      fr`Plus de la moitié des lignes ont disparu : il y avait ${compte(before, 'ligne', 'lignes')}, il y a ${compte(after, 'ligne', 'lignes')}.`,
  },
})
