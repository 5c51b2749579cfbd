import { expect } from 'chai'

import { MailError } from '../../src/notifications/mailer.ts'
import { createSmtpMailer } from '../../src/notifications/smtp-mailer.ts'
import { describeMailer, SENDER } from '../contracts/mailer.ts'
import { failure } from '../support/failure.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

async function openSmtp() {
  const server = await startMailServer()
  const mailer = createSmtpMailer({ url: server.url, from: SENDER, timeoutMs: PATIENCE_MS })
  return {
    server,
    mailer,
    received: () => Promise.resolve(server.mails.map(({ parsed }) => parsed)),
    async close() {
      await mailer.close()
      await server.close()
    },
  }
}

describeMailer('SMTP', openSmtp)

describe('the SMTP mailer', () => {
  const mail = { to: 'a@b.test', subject: 'x', text: 'x', html: 'x' }
  let smtp: Awaited<ReturnType<typeof openSmtp>>

  beforeEach(async () => {
    smtp = await openSmtp()
  })
  afterEach(() => smtp.close())

  it('signs in with the name and password of its address', async () => {
    await smtp.mailer.send(mail)
    expect(smtp.server.mails[0]?.recipients).to.deep.equal(['a@b.test'])
    expect(smtp.server.mails[0]?.sender).to.equal('no-reply@service.test')

    const url = smtp.server.url.replace(/:[^:@/]+@/, ':wrong@')
    const stranger = createSmtpMailer({ url, from: SENDER })
    expect(await failure(stranger.send(mail))).to.be.instanceOf(MailError)
  })

  it('fails when the server refuses, without the words of the server', async () => {
    smtp.server.failWith('refuse')
    const error = await failure(smtp.mailer.send(mail))
    expect(error).to.be.instanceOf(MailError)
    expect(error.message).to.not.include('10.0.0.7')
    expect(String(error.cause)).to.include('10.0.0.7')
  })

  it('gives up a server that does not answer, and works again when it does', async () => {
    const hasty = createSmtpMailer({ url: smtp.server.url, from: SENDER, timeoutMs: 300 })
    smtp.server.failWith('hang')
    expect(await failure(hasty.send(mail))).to.be.instanceOf(MailError)
    await hasty.close()
    smtp.server.failWith(null)
    await smtp.mailer.send(mail)
    expect(smtp.server.mails).to.have.length(1)
  })

  it('stops when it is aborted', async () => {
    smtp.server.failWith('hang')
    const controller = new AbortController()
    const reason = new Error('Shutting down')
    const sending = failure(smtp.mailer.send(mail, controller.signal))
    controller.abort(reason)
    expect(await sending).to.equal(reason)
  })

  it('fails when there is no server, and says so', async () => {
    const lost = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: SENDER })
    for (const told of [await failure(lost.send(mail)), await failure(lost.check())]) {
      expect(told).to.be.instanceOf(MailError)
      expect(told.message).to.equal('The mail server cannot be reached')
    }
  })

  it('says that the password is wrong', async () => {
    const url = smtp.server.url.replace(/:[^:@/]+@/, ':wrong@')
    const stranger = createSmtpMailer({ url, from: SENDER })
    expect((await failure(stranger.check())).message).to.include('refuses the user or the password')
    await smtp.mailer.check()
  })

  describe('to another machine', () => {
    // Leads to this one; a mailer that knows its loopback addresses by their names does not know it.
    const elsewhere = () => smtp.server.url.replace('@127.0.0.1', '@0.0.0.0')

    it('sends no password in clear, and no mail', async () => {
      const careful = createSmtpMailer({ url: elsewhere(), from: SENDER })
      expect((await failure(careful.send(mail))).message).to.include('STARTTLS')
      expect(smtp.server.signIns).to.equal(0)
      expect(smtp.server.mails).to.have.length(0)
    })

    it('sends the password in clear where that is allowed', async () => {
      const careless = createSmtpMailer({ url: elsewhere(), from: SENDER, allowClear: true })
      await careless.send(mail)
      expect(smtp.server.mails).to.have.length(1)
    })

    it('sends nothing where the certificate does not verify, whatever is allowed', async () => {
      const server = await startMailServer({ offersStartTls: true })
      const url = server.url.replace('@127.0.0.1', '@0.0.0.0')
      for (const allowClear of [false, true]) {
        const mailer = createSmtpMailer({ url, from: SENDER, allowClear })
        expect((await failure(mailer.send(mail))).message).to.include('certificate')
      }
      expect(server.signIns).to.equal(0)
      expect(server.mails).to.have.length(0)
      await server.close()
    })
  })
})
