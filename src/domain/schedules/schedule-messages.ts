import { defineMessages } from '../../../pipelines/index.ts'

export const scheduleMessages = defineMessages('schedule', {
  timezone: {
    en: 'must be the name of a time zone, such as Europe/Paris or UTC',
    fr: 'doit être le nom d’un fuseau horaire, tel que Europe/Paris ou UTC',
  },
  fiveFields: {
    en: 'must have five fields: minute, hour, day, month, day of the week',
    fr: 'doit avoir cinq champs : minute, heure, jour, mois, jour de la semaine',
  },
  neverComes: {
    en: 'must name times that will come, in the syntax of cron: 0 6 * * 1-5',
    fr: 'doit être des heures qui arrivent, comme cron les écrit : 0 6 * * 1-5',
  },
  /** In the records of jobs that an earlier version ran. */
  notByCreator: {
    en: 'The creator of the source may no longer load it',
    fr: 'Le créateur de la source n’a plus le droit de la charger',
  },
  removed: {
    en: 'The source is no longer loaded by schedule',
    fr: 'La source n’est plus chargée automatiquement',
  },
})
