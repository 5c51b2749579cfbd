import { expect } from 'chai'
import type { Email } from 'postal-mime'

import { type Mailer, MailError } from '../../src/notifications/mailer.ts'
import { failure } from '../support/failure.ts'

interface MailerFixture {
  readonly mailer: Mailer
  /** All mails so far, oldest first. */
  received(): Promise<Email[]>
  close(): Promise<void>
}

export const SENDER = 'Administration é <no-reply@service.test>'

const MAIL = {
  to: 'super@demo.test',
  subject: 'Suppression terminée : « Été » 😀',
  text: 'Bonjour,\n\nC’est fini.\n.\nUne ligne après un point seul.\n',
  html: '<p>C’est <b>fini</b>.</p>',
}

export function describeMailer(name: string, open: () => Promise<MailerFixture>): void {
  describe(`mailer contract: ${name}`, () => {
    let fixture: MailerFixture

    beforeEach(async () => {
      fixture = await open()
    })
    afterEach(() => fixture?.close())

    it('delivers subject, text and HTML exactly', async () => {
      await fixture.mailer.send(MAIL)
      const [mail, ...others] = await fixture.received()
      expect(others).to.deep.equal([])
      expect(mail?.subject).to.equal(MAIL.subject)
      expect(mail?.text?.trimEnd()).to.equal(MAIL.text.trimEnd())
      expect(mail?.html?.trimEnd()).to.equal(MAIL.html)
      expect(mail?.to?.map(({ address }) => address)).to.deep.equal([MAIL.to])
      expect(mail?.from).to.deep.include({ address: 'no-reply@service.test' })
      expect(mail?.messageId).to.be.a('string')
      expect(Number.isNaN(Date.parse(mail?.date ?? ''))).to.equal(false)
    })

    it('keeps mails apart and in order', async () => {
      for (const subject of ['one', 'two', 'three']) {
        await fixture.mailer.send({ ...MAIL, subject })
      }
      const subjects = (await fixture.received()).map(({ subject }) => subject)
      expect(subjects).to.deep.equal(['one', 'two', 'three'])
    })

    for (const subject of [
      'Dossier\r\nBcc: evil@evil.test\r\n\r\nbody',
      'Dossier\nX-Evil: 1',
      'Dossier\u0000\u2028X-Evil: 1',
      `${'très long '.repeat(30)}\r\nX-Evil: 1`,
    ]) {
      it(`adds no header because of the subject ${JSON.stringify(subject.slice(0, 30))}`, async () => {
        await fixture.mailer.send({ ...MAIL, subject })
        const [mail] = await fixture.received()
        const names = mail?.headers.map(({ key }) => key) ?? []
        expect(names).to.not.include('x-evil')
        expect(names).to.not.include('bcc')
        expect(new Set(names).size).to.equal(names.length)
        expect(mail?.text?.trimEnd()).to.equal(MAIL.text.trimEnd())
      })
    }

    for (const to of [
      '',
      'nobody',
      'a@b.test, c@d.test',
      'a@b.test\r\nBcc: c@d.test',
      'Name <a@b.test>',
      'a@b@c.test',
      '"a b"@c.test',
      'a@b.test\u0000',
    ]) {
      it(`refuses the recipient ${JSON.stringify(to)}`, async () => {
        expect(await failure(fixture.mailer.send({ ...MAIL, to }))).to.be.instanceOf(MailError)
        expect(await fixture.received()).to.deep.equal([])
      })
    }

    it('does not begin when it is aborted already', async () => {
      const signal = AbortSignal.abort(new Error('Shutting down'))
      expect(await failure(fixture.mailer.send(MAIL, signal))).to.equal(signal.reason)
      expect(await fixture.received()).to.deep.equal([])
    })
  })
}
