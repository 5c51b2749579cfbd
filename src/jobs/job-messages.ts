import { defineMessages, fr } from '../../pipelines/index.ts'

export const jobMessages = defineMessages('job', {
  abandoned: {
    en: 'Its caller went away, or the service stopped',
    fr: 'Son appelant est parti, ou le service s’est arrêté',
  },
  databaseAwayTooLong: {
    en: 'The database was unavailable for too long; the work was abandoned',
    fr: 'La base de données a été absente trop longtemps ; le travail a été abandonné',
  },
  processEnded: {
    en: 'The process that did this work ended before it was done',
    fr: 'Le processus qui y travaillait s’est terminé avant la fin',
  },
  gaveUpWaiting: {
    en: ({ detail }: { detail: string }) => `${detail}; the job has waited as long as it may`,
    fr: ({ detail }) => fr`${detail} ; la tâche a attendu aussi longtemps qu’elle le peut`,
  },
  /** In the records of jobs that an earlier version ran. */
  ownerMayNotAct: {
    en: 'The owner of the job may no longer act',
    fr: 'Le propriétaire de la tâche n’a plus le droit d’agir',
  },
})
