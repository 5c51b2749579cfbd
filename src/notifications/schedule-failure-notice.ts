import { DateTime } from 'luxon'

import { compte, counted, defineMessages, fr, type Language } from '../../pipelines/index.ts'
import type { Message } from '../../pipelines/index.ts'
import { type Notice, writeNotice } from './notice.ts'

interface ScheduleFailure {
  readonly sourceName: string
  readonly enterpriseName: string
  readonly failures: number
  /** In the language of the mail. */
  readonly reason: string
  readonly nextRunAt: Date
  /** The zone of the schedule's hours, in which its creator thinks of them. */
  readonly timezone: string
}

export const failureMessages = defineMessages('failure-notice', {
  subject: {
    en: ({ source }: { source: string }) => `Scheduled loads fail: ${source}`,
    fr: ({ source }) => fr`Chargements planifiés en échec : ${source}`,
  },
  greeting: { en: 'Hello,', fr: 'Bonjour,' },
  outcome: {
    en: (is: { failures: number; source: string; enterprise: string }) =>
      `The last ${counted(is.failures, 'scheduled load', 'scheduled loads')} of the source “${is.source}” of the enterprise “${is.enterprise}” failed. Its data did not change.`,
    fr: (is) =>
      fr`Chargements planifiés en échec de la source « ${is.source} » de l’entreprise « ${is.enterprise} » : ${compte(is.failures, 'chargement', 'chargements')} de suite. Ses données n’ont pas changé.`,
  },
  fact: {
    en: ({ label, value }: { label: string; value: string }) => `${label}: ${value}`,
    fr: ({ label, value }) => fr`${label} : ${value}`,
  },
  lastError: { en: 'Last error', fr: 'Dernière erreur' },
  nextTry: { en: 'Next try', fr: 'Prochain essai' },
  advice: {
    en: 'You will be told again only after a load that succeeds is followed by more failures.',
    fr: 'Vous ne serez prévenu à nouveau qu’après un chargement réussi suivi d’autres échecs.',
  },
  closing: {
    en: 'This message was sent automatically; please do not reply.',
    fr: 'Ce message est envoyé automatiquement, merci de ne pas y répondre.',
  },
})

/** The mail to the creator of a source whose scheduled loads keep failing. */
export function scheduleFailureNotice(failure: ScheduleFailure, language: Language): Notice {
  const { sourceName: source, enterpriseName: enterprise, failures, reason } = failure
  const told = failureMessages
  const say = (message: Message) => message.in(language)
  return writeNotice(language, {
    subject: say(told.subject({ source })),
    paragraphs: [told.greeting(), told.outcome({ failures, source, enterprise })].map(say),
    facts: [
      told.fact({ label: told.lastError(), value: reason }),
      told.fact({ label: told.nextTry(), value: nextTry(failure, language) }),
    ].map(say),
    closing: [told.advice(), told.closing()].map(say),
  })
}

const nextTry = ({ nextRunAt, timezone }: ScheduleFailure, language: Language): string =>
  DateTime.fromJSDate(nextRunAt, { zone: timezone })
    .setLocale(language)
    .toLocaleString(DateTime.DATETIME_HUGE)
