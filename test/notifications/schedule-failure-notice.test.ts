import { expect } from 'chai'

import type { Language } from '../../pipelines/index.ts'
import { scheduleFailureNotice } from '../../src/notifications/schedule-failure-notice.ts'

describe('the notice of scheduled loads that fail', () => {
  const textFor = (language: Language, nextRunAt: string, timezone: string) =>
    scheduleFailureNotice(
      {
        sourceName: 'Interventions',
        enterpriseName: 'Atelier Lumière',
        failures: 3,
        reason: 'Le formulaire n’existe plus',
        nextRunAt: new Date(nextRunAt),
        timezone,
      },
      language,
    ).text

  it('tells the next try on the clocks of the schedule, in the language of its reader', () => {
    const winter = '2026-11-28T05:00:00Z'
    expect(textFor('fr', winter, 'Europe/Paris')).to.include(
      'Prochain essai\u00a0: samedi 28 novembre 2026 à 06:00 heure normale d’Europe centrale',
    )
    expect(textFor('en', winter, 'Europe/Paris')).to.match(
      /Next try: Saturday, November 28, 2026 at 6:00\sAM Central European Standard Time/,
    )
    expect(textFor('fr', winter, 'UTC')).to.include('samedi 28 novembre 2026 à 05:00 UTC')
  })

  it('tells the day that it is there, before and after the clocks change', () => {
    expect(textFor('fr', '2026-07-01T22:30:00Z', 'Europe/Paris')).to.include(
      'jeudi 2 juillet 2026 à 00:30 heure d’été d’Europe centrale',
    )
    expect(textFor('fr', '2026-07-01T22:30:00Z', 'America/New_York')).to.include(
      'mercredi 1 juillet 2026 à 18:30',
    )
  })

  it('names the source and the reason', () => {
    const text = textFor('fr', '2026-11-28T05:00:00Z', 'UTC')
    expect(text).to.include('«\u00a0Interventions\u00a0»')
    expect(text).to.include('Dernière erreur\u00a0: Le formulaire n’existe plus')
  })
})
