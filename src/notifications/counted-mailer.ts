import type { Mailer } from './mailer.ts'

/** Counts what becomes of the mails of another one. */
export const countedMailer = (
  mailer: Mailer,
  ended: (outcome: 'sent' | 'failed') => void,
): Mailer => ({
  ...mailer,
  async send(mail, signal) {
    try {
      await mailer.send(mail, signal)
      ended('sent')
    } catch (error) {
      ended('failed')
      throw error
    }
  },
})
