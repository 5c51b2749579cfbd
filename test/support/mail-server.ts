import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  readonly sender: string
  readonly recipients: readonly string[]
  readonly raw: Buffer
  readonly parsed: Email
}

export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string
  readonly mails: ReceivedMail[]
  /** How often somebody sent a password. */
  readonly signIns: number
  /** The next mails meet it; null: they are taken. */
  failWith(fault: 'refuse' | 'hang' | null): void
  close(): Promise<void>
}

const USER = 'mailer@test'
const PASSWORD = 'p@ss/word:1'

/**
 * A real SMTP server on loopback that wants a password and keeps what it gets. Where it offers
 * STARTTLS, its certificate is one that nobody knows.
 */
export async function startMailServer({ offersStartTls = false } = {}): Promise<MailServer> {
  let signIns = 0
  const mails: ReceivedMail[] = []
  let fault: 'refuse' | 'hang' | null = null
  const server = new SMTPServer({
    disabledCommands: offersStartTls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      signIns++
      const isKnown = username === USER && password === PASSWORD
      done(isKnown ? null : new Error('Unknown user'), { user: USER })
    },
    onRcptTo({ address }, _session, done) {
      const isKnown = !address.endsWith('@nowhere.test')
      done(isKnown ? null : Object.assign(new Error('No such user'), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const take = async () => {
        const raw = await buffer(stream)
        if (fault === 'hang') return
        if (fault === 'refuse') {
          done(new Error('554 The test refuses at 10.0.0.7'))
          return
        }
        mails.push({
          sender: envelope.mailFrom ? envelope.mailFrom.address : '',
          recipients: envelope.rcptTo.map(({ address }) => address),
          raw,
          parsed: await PostalMime.parse(raw),
        })
        done()
      }
      void take()
    },
  })
  // Clients that go away in the middle are part of the tests.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  const { port } = server.server.address() as AddressInfo
  const credentials = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}`
  return {
    url: `smtp://${credentials}@127.0.0.1:${port}`,
    mails,
    get signIns() {
      return signIns
    },
    failWith(next) {
      fault = next
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
