import { expect } from 'chai'

import { standardFormats } from '../../../pipelines/index.ts'
import { sendMails, tellOfDeadlines } from '../../../src/domain/collections/mails.ts'
import { catalogueWith } from '../../../src/messages.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { createSmtpMailer } from '../../../src/notifications/smtp-mailer.ts'
import { useApp } from '../../support/app.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { until } from '../../support/patience.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

const SENDERS = [
  { key: 'BX', name: 'Bordeaux', email: 'bx@example.test', language: 'fr' },
  { key: 'LY', name: 'Lyon', email: 'ly@example.test', language: 'en' },
]
const LINK = /https?:\/\/\S+\/deliver\/#([\w-]{43})/

describe('mails to the senders of a collection', () => {
  let server: MailServer
  before(async () => {
    server = await startMailServer()
  })
  const app = useApp({ env: () => ({ SMTP_URL: server.url }) })
  after(() => server.close())
  const allSent = () =>
    until('all are sent', async () => {
      const { rowCount } = await app.database.pool.query(
        'select from collection_mails where sent_at is null',
      )
      return rowCount === 0
    })
  beforeEach(async () => {
    server.failWith(null)
    await allSent()
    server.mails.splice(0)
  })

  async function collection(body: object = {}) {
    const as = app.client.as(await app.build.user())
    const { uuid: sourceUuid } = await created(createFromFile(as, 'Client;Montant\nAnn;1\n'))
    const given = { name: 'Ventes', sourceUuid, senders: SENDERS, ...body }
    const { uuid, links } = await created(as.post('/collections', given))
    const slots = async () => (await as.get(`/collections/${uuid}/slots`)).body.items
    return { as, uuid, slots, links: links as { url: string }[] }
  }

  /** As another process would. */
  const sendAll = () =>
    sendMails({
      pool: app.database.pool,
      mailer: createSmtpMailer({ url: server.url, from: 'a@b.test' }),
      logger: createLogger({ level: 'silent', pretty: false }),
      catalogue: catalogueWith(standardFormats()),
      baseUrl: () => 'https://admin.test',
    })

  const arrived = (count: number) => until(`${count} mails`, () => server.mails.length >= count)
  const mailTo = (address: string) =>
    server.mails.find(({ recipients }) => recipients.includes(address))!.parsed
  const secretIn = (text: string | undefined) => LINK.exec(text ?? '')?.[1]

  /** As if so much time had passed for them. */
  const passed = (uuid: string, interval: string) =>
    app.database.pool.query(
      `with aged as (
         update collections set deadline = deadline - $2::interval where uuid = $1 returning id)
       update collection_senders se
       set created_at = created_at - $2::interval, reminded_at = reminded_at - $2::interval
       from aged where se.collection_id = aged.id`,
      [uuid, interval],
    )
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

  it('invite each of them once, in their language, with a link of their own that no table holds', async () => {
    await collection({ message: 'Avant le 5, merci.', periods: ['2026-10'], deadline: inDays(30) })
    await arrived(2)
    const [french, english] = [mailTo('bx@example.test'), mailTo('ly@example.test')]
    expect(french.subject).to.equal('Fichier attendu\u00a0: Ventes')
    expect(french.text).to.include('Bonjour Bordeaux').and.include('Avant le 5, merci.')
    expect(english.subject).to.equal('File awaited: Ventes')
    expect(english.text).to.include('- For: 2026-10').and.include('- Deadline:')
    const secrets = [french, english].map(({ text }) => secretIn(text)!)
    expect(new Set(secrets).size).to.equal(2)
    const { rows } = await app.database.pool.query(
      'select m.*, l.* from collection_mails m join collection_links l using (sender_id)',
    )
    for (const secret of secrets) {
      expect(english.html + french.html!).to.include(secret)
      expect(JSON.stringify(rows) + app.log.join('\n')).not.to.include(secret)
    }
  })

  it('go once, however many processes send them', async () => {
    const senders = Array.from({ length: 12 }, (_, n) => ({
      key: `K${n}`,
      name: `Sender ${n}`,
      email: `sender${n}@example.test`,
    }))
    await collection({ senders })
    await Promise.all(Array.from({ length: 4 }, sendAll))
    await arrived(senders.length)
    const addresses = server.mails.flatMap(({ recipients }) => recipients)
    expect(addresses.toSorted()).to.deep.equal(senders.map(({ email }) => email).toSorted())
  })

  it('are tried again; until then the failure stands at the slot, and its link is dead', async () => {
    server.failWith('refuse')
    const { slots } = await collection({ senders: SENDERS.slice(1) })
    await until('the failure is shown', async () => (await slots())[0].mailError !== null)
    const [{ mailError }] = await slots()
    expect(mailError).to.equal('A mail to this sender could not be sent. It is tried again.')
    const { rows } = await app.database.pool.query(
      `select count(*) as links from collection_links l join collection_mails m using (sender_id)
       where m.error is not null`,
    )
    expect(rows[0].links, 'the one that was shown to the admin').to.equal(1)
    server.failWith(null)
    await app.database.pool.query(
      'update collection_mails set next_try_at = now() where error is not null',
    )
    await arrived(1)
    await until('it is forgotten', async () => (await slots())[0].mailError === null)
  })

  it('go although those before them have an address that is not taken', async () => {
    const { pool } = app.database
    const held = await holdLocks(pool, 'lock table sweeps in access exclusive mode')
    try {
      const nobody = Array.from({ length: 3 }, (_, at) => ({
        key: `n${at}`,
        name: `Nobody ${at}`,
        email: `n${at}@nowhere.test`,
      }))
      await collection({ senders: [...nobody, SENDERS[0]] })
      await sendAll()
      const recipients = server.mails.flatMap((mail) => mail.recipients)
      expect(recipients).to.deep.equal(['bx@example.test'])
    } finally {
      await held.release()
      await pool.query('delete from collection_mails where sent_at is null')
    }
  })

  it('remind before the deadline whoever was there by then, once for each time', async () => {
    const { uuid } = await collection({ deadline: inDays(10), remind: ['7d', '1d'] })
    await arrived(2)
    const reminders = async () => {
      await Promise.all([1, 2, 3].map(() => tellOfDeadlines(app.database.pool)))
      await allSent()
      return server.mails.filter(({ parsed }) => /^(Reminder|Rappel)/.test(parsed.subject!)).length
    }
    expect(await reminders(), 'ten days before').to.equal(0)
    await passed(uuid, '4 days')
    expect(await reminders(), 'six days before').to.equal(2)
    expect(await reminders(), 'again').to.equal(2)
    await passed(uuid, '5 days 12 hours')
    expect(await reminders(), 'half a day before').to.equal(4)
    await passed(uuid, '1 day')
    await reminders()
    const late = server.mails.filter(({ parsed }) => /^(Late|En retard)/.test(parsed.subject!))
    expect(late).to.have.length(2)
    expect(secretIn(late[0]!.parsed.text)).to.be.a('string')
  })

  it('remind nobody twice a day, whoever asks', async () => {
    const { as, uuid, slots } = await collection({ deadline: inDays(10), remind: ['7d'] })
    await arrived(2)
    const [one] = await slots()
    const remind = () => as.post(`/collections/${uuid}/slots/${one.uuid}/remind`)
    const answers = await Promise.all([remind(), remind(), remind()])
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.body.code).to.equal(
      'ReminderConflictException',
    )
    await app.database.pool.query(
      `update collections set deadline = deadline - interval '4 days' where uuid = $1`,
      [uuid],
    )
    await app.database.pool.query(
      `update collection_senders set created_at = created_at - interval '4 days'`,
    )
    await tellOfDeadlines(app.database.pool)
    const { rows } = await app.database.pool.query(
      `select m.sender_id, count(*) as reminders from collection_mails m
       join collection_senders se on se.id = m.sender_id
       join collections c on c.id = se.collection_id
       where c.uuid = $1 and m.kind = 'reminder' group by 1`,
      [uuid],
    )
    expect(rows.map(({ reminders }) => reminders)).to.deep.equal([1, 1])
  })

  it('bring the receipt of a file, once, and the words with which it was returned', async () => {
    const { as, uuid, slots, links } = await collection({ senders: SENDERS.slice(1) })
    await arrived(1)
    const [slot] = await slots()
    const holder = app.client.withHeaders({ 'x-delivery-token': secretIn(links[0]!.url)! })
    const put = () =>
      holder.request('PUT', `/deliveries/${slot.uuid}`, {
        content: sourceForm({}, 'Client;Montant\nBob;2\n', 'mars.csv'),
      })
    const sent = await put()
    expect(sent.status, sent.text).to.equal(200)
    expect((await put()).body).to.deep.equal(sent.body)
    await arrived(2)
    const { subject, text } = server.mails[1]!.parsed
    expect(subject).to.equal('Received: Ventes')
    expect(text).to.include(sent.body.receipt).and.include('“mars.csv”')
    expect(secretIn(text)).to.equal(undefined)
    const path = `/collections/${uuid}/slots/${slot.uuid}/return`
    const answer = await as.post(path, { message: 'It is of April.' })
    expect(answer.status, answer.text).to.equal(200)
    await arrived(3)
    const returned = server.mails[2]!.parsed
    expect(returned.subject).to.equal('To be sent again: Ventes')
    expect(returned.text).to.include('It is of April.')
    const again = app.client.withHeaders({ 'x-delivery-token': secretIn(returned.text)! })
    expect((await again.get('/deliveries')).status).to.equal(200)
  })

  it('say nothing of a deadline once everything was sent', async () => {
    const { uuid } = await collection({ deadline: inDays(10), remind: ['7d'] })
    await arrived(2)
    await app.database.pool.query(
      `update collection_slots set state = 'accepted'
       where collection_id = (select id from collections where uuid = $1)`,
      [uuid],
    )
    for (const days of ['4 days', '7 days']) {
      await passed(uuid, days)
      await tellOfDeadlines(app.database.pool)
    }
    const { rows } = await app.database.pool.query(
      `select from collection_mails m join collection_senders se on se.id = m.sender_id
       join collections c on c.id = se.collection_id where c.uuid = $1 and m.kind <> 'invitation'`,
      [uuid],
    )
    expect(rows).to.deep.equal([])
  })
})
