import { createTransport } from 'nodemailer'

import { composeMail } from './compose-mail.ts'
import { type Mailer, MailError } from './mailer.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string
  readonly from: string
  /** For each step: connecting, greeting, each answer. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000
// A mail takes about ten answers; a server that is slow in each of them is given up.
const WHOLE_SENDING_STEPS = 3

export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = settings
  const address = new URL(settings.url)
  const secure = address.protocol === 'smtps:'
  const transport = createTransport({
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: address.port === '' ? (secure ? 465 : 587) : Number(address.port),
    secure,
    ...(address.username !== '' && {
      auth: {
        user: decodeURIComponent(address.username),
        pass: decodeURIComponent(address.password),
      },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })

  return {
    async send(mail, signal) {
      signal?.throwIfAborted()
      const composed = composeMail(settings.from, mail)
      const deadline = AbortSignal.timeout(WHOLE_SENDING_STEPS * timeoutMs)
      const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
      try {
        await Promise.race([transport.sendMail(composed), whenAborted(stop)])
      } catch (error) {
        signal?.throwIfAborted()
        // The server's words may name internal addresses; they stay in the cause.
        throw new MailError('The mail server did not take the mail', { cause: error })
      }
    },
    async close() {
      transport.close()
    },
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
