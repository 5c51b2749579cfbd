import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { keepAudit } from '../../../src/domain/audit/keep-audit.ts'
import { verifyAudit } from '../../../src/domain/audit/verify-audit.ts'
import { CHAIN_START, flawOf, fromLine } from '../../../src/domain/audit/chain.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { runCli } from '../../support/cli.ts'
import { failure } from '../../support/failure.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { created, createFromFile, freshTableName, sourceForm } from '../../support/sources.ts'
import { found } from '../../support/patience.ts'

interface Entry {
  readonly number: number
  readonly action: string
  readonly outcome: string
  readonly thing: { readonly kind: string; readonly uuid: string | null; readonly name: string }
  readonly fields: readonly string[]
  readonly actor: { readonly email: string; readonly uuid: string | null } | null
  readonly via: string
  readonly token: string | null
  readonly address: string | null
  readonly requestId: string
  readonly jobUuid: string | null
  readonly enterpriseId: number | null
}

/** What changes nothing that anybody would ask about. */
const UNTOLD = [
  'POST /connections/:uuid/test',
  'POST /sources/preview',
  'POST /sources/check',
  'POST /sources/:uuid/preview',
  'POST /sources/:uuid/check',
  'POST /sources/:uuid/rules/try',
  'PUT /storage/uploads/*part',
  'POST /deliveries/:slot/check',
  // What came of them is told when the file is delivered.
  'POST /deliveries/:slot/uploads',
  'POST /deliveries/:slot/uploads/:upload/complete',
  'DELETE /deliveries/:slot/uploads/:upload',
]

describe('the audit trail', () => {
  const app = useApp()
  let admin: Actor
  let otherAdmin: Actor
  let superAdmin: Actor

  before(async () => {
    admin = await app.build.user({ role: 'admin', enterprise: await app.build.enterprise() })
    otherAdmin = await app.build.user({ role: 'admin', enterprise: await app.build.enterprise() })
    superAdmin = await app.build.user({ role: 'super-admin' })
  })

  const entries = async (as: Actor, query = ''): Promise<Entry[]> => {
    const { status, body, text } = await app.client.as(as).get(`/audit?limit=100${query}`)
    expect(status, text).to.equal(200)
    return body.items as Entry[]
  }
  const count = async (): Promise<number> => {
    const { rows } = await app.database.pool.query('select count(*) as n from audit_entries')
    return rows[0].n
  }
  const connection = (name: string) => ({
    name,
    baseUrl: 'https://forms.example.com',
    apiKey: 'frm_a_secret_key',
  })
  const made = (as: Actor, name: string) =>
    created(app.client.as(as).post('/connections', connection(name)))

  it('is told of by every route that changes something', () => {
    const silent = allRoutes('0')
      .filter(({ spec }) => spec.method !== 'get' && spec.audit === undefined)
      .map(({ spec }) => `${spec.method.toUpperCase()} ${spec.path}`)
    expect(silent).to.have.members(UNTOLD)
  })

  it('says who did what to which thing, when, from where and by which token', async () => {
    const script = await created(app.client.as(admin).post('/auth/tokens', { name: 'script' }))
    const client = app.client.withHeaders({
      'x-app-access-token': script.token as string,
      'x-request-id': 'asked-by-a-script',
    })
    const { uuid } = await created(client.post('/connections', connection('Forms')))
    await client.patch(`/connections/${uuid}`, { name: 'Renamed', apiKey: 'frm_another_key' })
    await client.delete(`/connections/${uuid}`)
    const told = await entries(admin, `&thing=${uuid}`)
    expect(told.map(({ action }) => action)).to.deep.equal([
      'connection.remove',
      'connection.change',
      'connection.create',
    ])
    for (const { actor, via, token, address, requestId, enterpriseId } of told) {
      expect(actor).to.deep.equal({ uuid: admin.uuid, email: admin.email, role: 'admin' })
      expect({ via, token }).to.deep.equal({ via: 'personal-token', token: script.uuid })
      expect(address).to.match(/127\.0\.0\.1$/)
      expect({ requestId, enterpriseId }).to.deep.equal({
        requestId: 'asked-by-a-script',
        enterpriseId: admin.enterprise!.id,
      })
    }
    expect(told.map(({ thing }) => thing.name)).to.deep.equal(['Renamed', 'Renamed', 'Forms'])
    expect(told.map(({ fields }) => fields)).to.deep.equal([[], ['name', 'apiKey'], []])
    const stored = JSON.stringify(
      (await app.database.pool.query('select * from audit_entries')).rows,
    )
    expect(stored).not.to.match(/frm_|adm_/)
  })

  it('shows an admin what was done to the things of their enterprise, by whomever', async () => {
    const { uuid } = await made(admin, 'Seen by its own')
    await app.client.as(superAdmin).patch(`/connections/${uuid}`, { name: 'By another' })
    const [last] = await entries(admin, `&thing=${uuid}`)
    expect(last).to.deep.include({ action: 'connection.change' })
    expect(last!.actor!.uuid).to.equal(superAdmin.uuid)
    expect(await entries(otherAdmin, `&thing=${uuid}`)).to.deep.equal([])
    expect(await entries(superAdmin, `&thing=${uuid}`)).to.have.lengthOf(2)
  })

  it('says of a slot what was sent into it by whom, and what was decided', async () => {
    const as = app.client.as(admin)
    const source = await created(createFromFile(as, 'Client\nAnn\n'))
    const given = {
      name: 'Ventes',
      sourceUuid: source.uuid,
      senders: [{ key: 'BX', name: 'Bordeaux', email: 'bx@example.test' }],
      periods: ['Mai'],
      approval: true,
    }
    const { uuid, links } = await created(as.post('/collections', given))
    const { body } = await as.get(`/collections/${uuid}/slots`)
    const slot = body.items[0].uuid as string
    const send = (content: string) =>
      app.client
        .withHeaders({ 'x-delivery-token': links[0].url.split('#')[1] })
        .request('PUT', `/deliveries/${slot}`, { content: sourceForm({}, content) })
    expect((await send('Client\nBob\n')).status).to.equal(200)
    expect((await send('Client\nBob\n')).status).to.equal(200)
    expect((await send('')).status).to.equal(400)
    const at = `/collections/${uuid}/slots/${slot}`
    for (const deed of [
      () => as.post(`${at}/approve`),
      () => as.post(`${at}/return`, { message: 'No' }),
      () => as.post(`${at}/remind`),
      () => as.post(`${at}/link`),
    ]) {
      expect((await deed()).status).to.equal(200)
    }
    const told = await entries(admin, `&thing=${slot}`)
    expect(told.map(({ action, via, actor }) => [action, via, actor!.email])).to.deep.equal([
      ['collection.renew-link', 'session', admin.email],
      ['collection.remind', 'session', admin.email],
      ['collection.return', 'session', admin.email],
      ['collection.approve', 'session', admin.email],
      ['delivery.send', 'link', 'bx@example.test'],
    ])
    for (const { thing, enterpriseId } of told) {
      expect(thing).to.deep.equal({ kind: 'slot', uuid: slot, name: 'Ventes · Bordeaux · Mai' })
      expect(enterpriseId).to.equal(admin.enterprise!.id)
    }
  })

  it('tells once of an upload that is completed twice', async () => {
    const as = app.client.as(admin)
    const upload = await created(as.post('/documents/uploads', { filename: 'a.csv', size: 1 }))
    await fetch(upload.parts[0].url as string, { method: 'PUT', body: 'a' })
    const complete = () => created(as.post(`/documents/uploads/${upload.uuid}/complete`))
    const { uuid } = await complete()
    await complete()
    const told = await entries(admin, `&thing=${uuid}&action=document.create`)
    expect(told.map(({ thing }) => thing.name)).to.deep.equal(['a.csv'])
  })

  it('tells of a sign-in, and of nothing that was refused', async () => {
    const before = await count()
    expect((await app.client.as(admin).post('/connections', {})).status).to.equal(400)
    expect((await app.client.as(otherAdmin).post('/enterprises', {})).status).to.equal(403)
    expect(await count()).to.equal(before)
    const user = await created(
      app.client.as(superAdmin).post('/users', {
        email: 'audited@demo.test',
        name: 'Audited',
        role: 'client',
        accountType: 'personal',
        password: 'a-password-of-theirs',
      }),
    )
    const credentials = { email: 'audited@demo.test', password: 'a-password-of-theirs' }
    expect((await app.client.post('/auth/login', credentials)).status).to.equal(200)
    const [signedIn] = await entries(superAdmin, `&actor=${user.uuid}`)
    expect(signedIn).to.deep.include({ action: 'session.begin', via: 'password' })
  })

  it('has no entry of a change that is taken back, and no change without its entry', async () => {
    const { pool } = app.database
    const { uuid } = await made(admin, 'Stays')
    await pool.query(`
      create function public.no_more() returns trigger language plpgsql as
        'begin raise exception $a$no entry$a$; end';
      create trigger no_more before insert on audit_entries
        for each row when (new.action like 'connection.%') execute function public.no_more()`)
    try {
      const { status } = await app.client.as(admin).delete(`/connections/${uuid}`)
      expect(status).to.equal(500)
      expect((await app.client.as(admin).get(`/connections/${uuid}`)).status).to.equal(200)
      expect((await app.client.as(admin).post('/connections', connection('No'))).status).to.equal(
        500,
      )
      const { rows } = await pool.query("select from connections where name = 'No'")
      expect(rows).to.deep.equal([])
    } finally {
      await pool.query('drop function public.no_more cascade')
    }
  })

  it('tells of queued work when it is asked for, and when it is done', async () => {
    const form = sourceForm(
      { source: 'file', name: 'Queued', tableName: freshTableName() },
      'a,b\n1,2\n',
    )
    const client = app.client.as(admin).withHeaders({ prefer: 'respond-async' })
    const { body: job } = await client.request('POST', '/sources', { content: form })
    const told = await found('both entries', async () => {
      const creations = await entries(admin, '&action=source.create')
      const ours = creations.filter(({ jobUuid }) => jobUuid === job.uuid)
      return ours.length === 2 ? ours : null
    })
    const [done, queued] = told
    expect(queued).to.deep.include({ outcome: 'queued', via: 'session' })
    expect(done).to.deep.include({ outcome: 'done', via: 'job' })
    expect(done!.thing).to.deep.include({ kind: 'source', name: 'Queued' })
    expect(done!.thing.uuid).to.be.a('string')
  })

  it('names the source that a synchronous creation has made', async () => {
    const { uuid } = await created(createFromFile(app.client.as(admin), 'a\n1\n'))
    const [entry] = await entries(admin, `&thing=${uuid}`)
    expect(entry).to.deep.include({ action: 'source.create', outcome: 'done' })
  })

  it('comes as CSV, and a name is no formula', async () => {
    await made(admin, '=1+1')
    const answer = await app.client.as(admin).get('/audit?format=csv&action=connection.create')
    expect(answer.headers.get('content-type')).to.include('text/csv')
    const [header, first] = answer.text.split('\r\n')
    expect(header).to.include('number,createdAt,enterpriseId,action')
    expect(first).to.include(",'=1+1,")
  })

  it('is only added to', async () => {
    const { pool } = app.database
    for (const statement of [
      "update audit_entries set actor_email = 'nobody'",
      'update audit_entries set hash = null',
      'delete from audit_entries',
      'truncate audit_entries',
      'update audit_chains set number = number - 1',
      'update audit_chains set exported_number = number + 1',
      'delete from audit_chains',
      'truncate audit_chains',
    ]) {
      const refused = await failure(pool.query(statement))
      expect(refused.message, statement).to.match(/the audit trail is only added to/)
    }
  })

  it('is right while entries are added', async () => {
    const verdicts = verifyAudit(app.database.pool)
    await verdicts.next()
    await made(admin, 'Meanwhile')
    for await (const { flaw } of verdicts) expect(flaw).to.equal(null)
  })

  it('links entries of simultaneous changes without a gap', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => made(otherAdmin, `At once ${at}`)))
    const told = await entries(otherAdmin)
    const numbers = told.map(({ number }) => number).toSorted((a, b) => a - b)
    expect(numbers).to.deep.equal(numbers.map((_, at) => at + 1))
    for await (const { flaw } of verifyAudit(app.database.pool)) expect(flaw).to.equal(null)
  })

  it('tells of commands, by the account that ran them', async () => {
    const { stdout, code, stderr } = await runCli(
      ['enterprise', 'create', '--name', 'By hand', '--account-type', 'enterprise'],
      {
        DATABASE_URL: app.database.url,
        AUTH_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      },
    )
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const uuid = /uuid: (\S+)/.exec(stdout)![1]
    const [entry] = await entries(superAdmin, `&thing=${uuid}`)
    expect(entry).to.deep.include({ action: 'enterprise.create', via: 'cli', address: null })
    expect(entry!.actor!.email).to.match(/^.+@.+$/)
    expect(entry!.thing.name).to.equal('By hand')
  })

  describe('that somebody has changed past the service', () => {
    const verify = () =>
      runCli(['audit', 'verify'], {
        DATABASE_URL: app.database.url,
        AUTH_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      })
    /** Undone afterwards. */
    async function tampered(statement: string, check: () => Promise<void>): Promise<void> {
      const { pool } = app.database
      const guards = async (state: string) => {
        for (const table of ['audit_entries', 'audit_chains']) {
          await pool.query(`alter table ${table} ${state} trigger user`)
        }
      }
      await pool.query('create table public.kept_entries as select * from audit_entries')
      await guards('disable')
      await pool.query(statement)
      try {
        await check()
      } finally {
        await pool.query('delete from audit_entries')
        await pool.query(
          'insert into audit_entries overriding system value select * from public.kept_entries',
        )
        await pool.query('drop table public.kept_entries')
        await pool.query(`update audit_chains set exported_number = 0, exported_hash = ''`)
        await guards('enable')
      }
    }
    const of = () => `enterprise_id = ${otherAdmin.enterprise!.id}`

    it('is right before', async () => {
      const { code, stdout } = await verify()
      expect(stdout).to.match(/^enterprise \d+: 20 entries are right, up to number 20, hash /m)
      expect(code).to.equal(0)
    })

    it('is not taken for exported because the database says so', async () => {
      const { id } = otherAdmin.enterprise!
      const claimed = `
        update audit_chains set exported_number = 3, exported_hash =
          (select hash from audit_entries where number = 3 and ${of()}) where ${of()};
        delete from audit_entries where number <= 3 and ${of()}`
      await tampered(claimed, async () => {
        const { code, stdout } = await verify()
        expect(stdout).to.match(
          new RegExp(`^enterprise ${id}: 17 entries are right, up to number 20, hash `, 'm'),
        )
        expect(stdout).to.include(
          `enterprise ${id}: entries 1 to 3 were exported, and their file is MISSING\n`,
        )
        expect(code).to.equal(1)
      })
    })

    const cases = {
      changed: () => `update audit_entries set address = '::2' where number = 7 and ${of()}`,
      removed: () => `delete from audit_entries where number = 7 and ${of()}`,
      'removed at the end': () => `delete from audit_entries where number = 20 and ${of()}`,
      inserted: () =>
        `insert into audit_entries (enterprise_id, action, outcome, thing_kind, via, number, hash)
         values (${otherAdmin.enterprise!.id}, 'seed.fill', 'done', 'service', 'cli', 21, '\\x00')`,
    }
    for (const [told, statement] of Object.entries(cases)) {
      it(`is found: ${told}`, async () => {
        await tampered(statement(), async () => {
          const { code, stdout } = await verify()
          const word = told.split(' ')[0]!.toUpperCase()
          expect(stdout).to.match(new RegExp(`^enterprise \\d+: entry \\d+ was ${word};`, 'm'))
          expect(code).to.equal(1)
        })
      })
    }
  })

  describe('that is older than it is kept', () => {
    it('is written into the storage before it is removed, and goes on after it', async () => {
      const { pool } = app.database
      const logger = createLogger({ level: 'silent', pretty: false })
      const store = await openLocalStore({
        folder: join(app.dataDir, 'audit-objects'),
        bucket: 'documents',
        links: createLocalLinks({ secret: 'for tests', publicBaseUrl: () => 'http://localhost' }),
      })
      await keepAudit({ pool, store, logger }, 60_000)
      expect(await count()).to.be.greaterThan(0)
      await keepAudit({ pool, store, logger }, 0)
      expect(await count()).to.equal(0)
      const { id } = otherAdmin.enterprise!
      const path = store.localPath(store.defaultBucket, `audit/${id}/1-20.ndjson`)!
      const links = (await readFile(path, 'utf8')).trimEnd().split('\n').map(fromLine)
      let end = CHAIN_START
      for (const link of links) {
        expect(flawOf(end, link!)).to.equal(null)
        end = link!
      }
      expect(links).to.have.lengthOf(20)
      const read = await runCli(['audit', 'verify', path], {})
      expect(read).to.deep.include({ code: 0, stdout: `Right up to number 20, hash ${end.hash}\n` })
      await made(otherAdmin, 'Afterwards')
      expect((await entries(otherAdmin))[0]).to.deep.include({ number: 21 })
      for await (const { flaw } of verifyAudit(pool)) expect(flaw).to.equal(null)
    })
  })
})
