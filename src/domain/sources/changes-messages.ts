import { defineMessages, fr } from '../../../pipelines/index.ts'

export const changesMessages = defineMessages('changes', {
  tookTooLong: {
    en: 'The comparison took longer than 10 minutes',
    fr: 'La comparaison a duré plus de 10 minutes',
  },
  noneStaged: {
    en: 'is required: no load of the source is staged',
    fr: 'est obligatoire : aucun chargement de la source n’est en attente',
  },
  severalStaged: {
    en: ({ uuids }: { uuids: readonly string[] }) =>
      `is required: several loads are staged (${uuids.join(', ')})`,
    fr: ({ uuids }) =>
      fr`est obligatoire : plusieurs chargements sont en attente (${uuids.join(', ')})`,
  },
  tooFast: {
    en: 'The source changes faster than it can be compared',
    fr: 'La source change plus vite qu’elle ne peut être comparée',
  },
  upgrading: {
    en: 'The source is being upgraded',
    fr: 'La source est en cours de mise à niveau',
  },
  before: { en: 'the state compared with', fr: 'l’état de référence' },
  after: { en: 'the state compared', fr: 'l’état comparé' },
  notAHeaderOf: {
    en: ({ state }: { state: string }) => `must be the header of a column that ${state} has`,
    fr: ({ state }) => fr`doit être l’en-tête d’une colonne ; ${state} n’en a pas de ce nom`,
  },
  keyBlank: {
    en: ({ key, state }: { key: string; state: string }) =>
      `must identify each row: a row of ${state} leaves “${key}” empty`,
    fr: ({ key, state }) =>
      fr`doit distinguer les lignes : dans ${state}, une ligne laisse « ${key} » vide`,
  },
  keyRepeats: {
    en: ({ key, value, state }: { key: string; value: string; state: string }) =>
      `must identify each row: “${value}” occurs more than once in “${key}” of ${state}`,
    fr: ({ key, value, state }) =>
      fr`doit distinguer les lignes : dans ${state}, « ${value} » figure plusieurs fois dans « ${key} »`,
  },
})
