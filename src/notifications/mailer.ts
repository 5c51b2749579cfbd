/** Sends the mails of the service: one recipient, text and HTML. There are two implementations. */
export interface Mailer {
  /** Resolves once the mail has been handed over; rejects with a `MailError`. */
  send(mail: Mail, signal?: AbortSignal): Promise<void>
  /** Rejects with a `MailError` if no mail could be sent now. */
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
  /** True: it is this address that is not taken, so mails to others may go. */
  readonly isOfRecipient: boolean

  constructor(
    message: string,
    { isOfRecipient = false, ...options }: ErrorOptions & { readonly isOfRecipient?: boolean } = {},
  ) {
    super(message, options)
    this.isOfRecipient = isOfRecipient
  }
}
