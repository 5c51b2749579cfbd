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

  it('fails when there is no server', async () => {
    const lost = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: SENDER })
    expect(await failure(lost.send(mail))).to.be.instanceOf(MailError)
  })
})
