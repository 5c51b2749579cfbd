import { escapeHtml, type Notice } from './notice.ts'

export interface ScheduleFailure {
  readonly sourceName: string
  readonly enterpriseName: string
  readonly failures: number
  readonly reason: string
  readonly nextRunAt: Date
}

/** What the creator of a source is told whose scheduled loads fail, in French. */
export function scheduleFailureNotice(failure: ScheduleFailure): Notice {
  const { sourceName, enterpriseName, failures, reason, nextRunAt } = failure
  const outcome =
    `Les ${failures} derniers chargements planifiés de la source « ${sourceName} » ` +
    `de l’entreprise « ${enterpriseName} » ont échoué. Ses données n’ont pas changé.`
  const facts = [
    ['Dernière erreur', reason],
    ['Prochain essai', nextRunAt.toISOString()],
  ] as const
  const advice =
    'Vous ne serez prévenu à nouveau qu’après un chargement réussi suivi d’autres échecs.'
  const closing = 'Ce message est envoyé automatiquement, merci de ne pas y répondre.'
  return {
    subject: `Chargements planifiés en échec : ${sourceName}`,
    text: [
      'Bonjour,',
      outcome,
      facts.map(([label, value]) => `- ${label} : ${value}`).join('\n'),
      advice,
      closing,
      '',
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      '<html lang="fr"><head><meta charset="utf-8"></head><body>',
      '<p>Bonjour,</p>',
      `<p>${escapeHtml(outcome)}</p>`,
      '<ul>',
      ...facts.map(([label, value]) => `<li>${label} : ${escapeHtml(value)}</li>`),
      '</ul>',
      `<p>${advice}</p>`,
      `<p>${closing}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  }
}
