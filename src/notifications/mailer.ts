/** Sends mails that the service writes itself: one recipient, text and HTML. Two drivers, one contract. */
export interface Mailer {
  /** Resolves when the mail was handed over; rejects with a `MailError`. */
  send(mail: Mail, signal?: AbortSignal): Promise<void>
  /** Rejects with a `MailError` where no mail could be sent now. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface Mail {
  /** One bare address, `name@host`. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export class MailError extends Error {
  override readonly name = 'MailError'
}
