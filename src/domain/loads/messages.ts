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
  rowsLost: {
    en: ({ before, after }: { before: number; after: number }) =>
      `More than half of the rows are gone: there were ${counted(before, 'row', 'rows')}, there are ${counted(after, 'row', 'rows')}.`,
    fr: ({ before, after }) =>
      fr`Plus de la moitié des lignes ont disparu : il y avait ${compte(before, 'ligne', 'lignes')}, il y a ${compte(after, 'ligne', 'lignes')}.`,
  },
})
