import { createTransport } from 'nodemailer'

import { isThisMachine } from '../this-machine.ts'
import { composeMail } from './compose-mail.ts'
import { type Mailer, MailError } from './mailer.ts'

interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string
  readonly from: string
  /** Sends the password to other machines even without STARTTLS. */
  readonly allowClear?: boolean
  /** For each step: connecting, the greeting, each reply. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000
// A mail takes about ten replies; a server that is slow with each of them is given up.
const WHOLE_SENDING_STEPS = 3

export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, allowClear = false } = settings
  const address = new URL(settings.url)
  const secure = address.protocol === 'smtps:'
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const hasPassword = address.username !== ''
  const transport = createTransport({
    host,
    port: address.port === '' ? (secure ? 465 : 587) : Number(address.port),
    secure,
    // An attacker between us and the server could remove its offer of STARTTLS.
    requireTLS: hasPassword && !secure && !allowClear && !isThisMachine(host),
    ...(hasPassword && {
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
        throw new MailError(reasonOf(error), {
          cause: error,
          isOfRecipient: isOfRecipient(error),
        })
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw new MailError(reasonOf(error), { cause: error })
      }
    },
    async close() {
      transport.close()
    },
  }
}

const NO_STARTTLS =
  'The mail server offers no STARTTLS that works, and the password is not sent in clear; ' +
  'SMTP_ALLOW_CLEAR=true would send it'
const UNREACHABLE = 'The mail server cannot be reached'

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refuses the user or the password',
  ENOAUTH: 'The mail server refuses the user or the password',
  ETLS: NO_STARTTLS,
  ECONNECTION: UNREACHABLE,
  ESOCKET: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EDNS: UNREACHABLE,
}

/** The server's own words may contain internal addresses; they are kept in the cause. */
function reasonOf(error: unknown): string {
  if (isUnverified(error)) return 'The certificate of the mail server does not verify'
  const { code = '', message } = error as Error & { code?: string }
  if (message.includes('STARTTLS')) return NO_STARTTLS
  return REASONS[code] ?? 'The mail server did not take the mail'
}

/** Refused for good where the server was told to whom it goes. */
function isOfRecipient(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

/** Codes of OpenSSL's certificate verification. */
function isUnverified(error: unknown): boolean {
  const { message, cause } = error as Error
  return (
    /certificate|CERT_|self.signed|altnames/i.test(message) ||
    (cause instanceof Error && isUnverified(cause))
  )
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
