import { type Mail, MailError } from './mailer.ts'

/** The input of nodemailer: we set every header, and no value can break out of its header. */
interface ComposedMail {
  readonly from: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  readonly disableFileAccess: true
  readonly disableUrlAccess: true
}

// A single recipient, without characters that could separate, comment, quote or fold an address.
const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{C}]{1,64}@[^\s<>()[\]\\,;:"@\p{C}]{1,255}$/u

/** Whether a mail can go there. */
export const isAddress = (text: string): boolean => ADDRESS.test(text)

export function composeMail(from: string, mail: Mail): ComposedMail {
  if (!isAddress(mail.to)) {
    throw new MailError('The recipient is not an e-mail address', { isOfRecipient: true })
  }
  return {
    from,
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    // So that automatic replies do not come back (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A name in a subject may contain line breaks and control characters; a header may not. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
