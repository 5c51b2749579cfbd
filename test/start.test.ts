import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { expect } from 'chai'
import { Client } from 'pg'

import { LOCKS, lockUntilUnlocked } from '../src/db/locks.ts'

import { createEmptyDatabase, useDatabase } from './support/database.ts'
import { TEST_ENCRYPTION_KEYS } from './support/factories.ts'
import { failure } from './support/failure.ts'
import { runCli } from './support/cli.ts'
import { found } from './support/patience.ts'
import { type S3Server, startS3Server } from './support/s3-server/index.ts'
import { startServer } from './support/server-process.ts'
import { startStrictPooler } from './support/strict-pooler.ts'
import { startTcpProxy } from './support/tcp-proxy.ts'

const BUCKETS = ['start']
/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const STACK = /^\s+at .*[:)]/m

describe('a start', () => {
  const database = useDatabase()
  let storage: S3Server
  before(async () => {
    storage = await startS3Server({ buckets: BUCKETS })
  })
  after(() => storage.close())

  const settings = (changes: Readonly<Record<string, string>> = {}) => ({
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    ...storage.settings,
    START_TIMEOUT: '1s',
    ...changes,
  })
  const databaseUrl = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }
  /** What a start that does not succeed leaves behind. */
  const outputOf = async (changes: Readonly<Record<string, string>>): Promise<string> => {
    const { message } = await failure(startServer(settings(changes)))
    expect(message).to.match(/^The service ended with 1:/)
    expect(message).not.to.match(STACK)
    return message
  }

  describe('ends with a sentence', () => {
    it('when its database cannot be reached, after having said that it waits', async () => {
      const url = databaseUrl((to) => (to.port = '1'))
      const output = await outputOf({ DATABASE_URL: url })
      expect(output).to.include('waiting for the database of DATABASE_URL')
      expect(output).to.match(/The database .+ \(DATABASE_URL\) cannot be reached \(ECONNREFUSED\)/)
    })

    it('at once when the database does not let it in', async () => {
      const url = databaseUrl((to) => (to.username = 'nobody_of_that_name'))
      const output = await outputOf({ DATABASE_URL: url, START_TIMEOUT: '1h' })
      expect(output).to.match(/The database .+ \(DATABASE_URL\) refuses the user or the password/)
    })

    it('at once when there is no database of that name', async () => {
      const url = databaseUrl((to) => (to.pathname = '/nothing_of_that_name'))
      const output = await outputOf({ DATABASE_URL: url, START_TIMEOUT: '1h' })
      expect(output).to.match(/There is no database nothing_of_that_name .+\(DATABASE_URL\)/)
    })

    it('when a pooler stands before its database, and the server itself is not named, or is away', async () => {
      await using pooler = await startStrictPooler(database.url)
      const output = await outputOf({ DATABASE_URL: pooler.url, START_TIMEOUT: '1h' })
      expect(output).to.match(/\(DATABASE_URL\) leads to a pooler: .+ DATABASE_SESSION_URL/)
      const away = await outputOf({
        DATABASE_URL: pooler.url,
        DATABASE_SESSION_URL: databaseUrl((to) => (to.port = '1')),
      })
      expect(away).to.include('waiting for the database of DATABASE_SESSION_URL')
      expect(away).to.match(/\(DATABASE_SESSION_URL\) cannot be reached/)
    })

    it('when its object storage cannot be reached, after having said that it waits', async () => {
      const output = await outputOf({ S3_ENDPOINT: 'http://127.0.0.1:1' })
      expect(output).to.include('waiting for the object storage')
      expect(output).to.include('The object storage cannot be reached: check S3_ENDPOINT')
    })

    it('at once when the object storage has no such bucket', async () => {
      const output = await outputOf({ S3_BUCKET: 'none-of-that-name', START_TIMEOUT: '1h' })
      expect(output).to.include('no bucket of the name in S3_BUCKET')
    })

    it('at once when the object storage refuses the keys', async () => {
      const output = await outputOf({ S3_SECRET_ACCESS_KEY: 'another', START_TIMEOUT: '1h' })
      expect(output).to.include('refuses S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY')
    })
  })

  describe('goes on', () => {
    it('when database and object storage come later', async () => {
      await using proxy = await startTcpProxy(database.url)
      proxy.refuse(true)
      const { port } = new URL(storage.endpoint)
      await storage.close()
      let output: readonly string[] = []
      const starting = startServer(
        settings({ DATABASE_URL: proxy.through(database.url), START_TIMEOUT: '5m' }),
        { onOutput: (lines) => (output = lines) },
      )
      const said = (what: string) =>
        found(what, async () => output.find((line) => line.includes(what)) ?? null)
      await said('waiting for the database')
      proxy.refuse(false)
      await said('waiting for the object storage')
      storage = await startS3Server({ buckets: BUCKETS, port: Number(port) })
      await using server = await starting
      expect((await fetch(`${server.address}/health/ready`)).status).to.equal(200)
    })

    for (const [purpose, sent] of [
      ['its migrations', /create extension/i],
      ['the job queue', /create schema .*pgboss/i],
    ] as const) {
      it(`when all that its database consists of is there later, for ${purpose}`, async () => {
        const empty = await createEmptyDatabase()
        try {
          await using proxy = await startTcpProxy(empty.url)
          const cut = proxy.cutWhenSent(sent)
          await using server = await startServer(
            settings({ DATABASE_URL: proxy.through(empty.url), START_TIMEOUT: '5m' }),
          )
          expect(cut.happened).to.equal(true)
          expect(server.output.join('\n')).to.include(
            `waiting for all nodes of the database, for ${purpose}`,
          )
          expect((await fetch(`${server.address}/health/ready`)).status).to.equal(200)
        } finally {
          await empty.drop()
        }
      })
    }

    it('behind a pooler, where its role looks names up in the same schemas as everywhere', async () => {
      await using pooler = await startStrictPooler(database.url)
      await database.pool.query(
        `do $$ begin execute format('alter role %I in database %I reset search_path', current_user, current_database()); end $$`,
      )
      await using _server = await startServer(
        settings({ DATABASE_URL: pooler.url, DATABASE_SESSION_URL: database.url }),
      )
      const { rows } = await database.pool.query<{ setting: string }>(
        `select unnest(s.setconfig) as setting from pg_db_role_setting s
         where s.setrole = current_user::regrole
           and s.setdatabase = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows).to.deep.include({ setting: 'search_path=pg_catalog, public, pg_temp' })
    })

    it('behind a pooler, and when the mail server is away, of which the log tells', async () => {
      await using pooler = await startStrictPooler(database.url)
      await using server = await startServer(
        settings({
          DATABASE_URL: pooler.url,
          DATABASE_SESSION_URL: database.url,
          SMTP_URL: 'smtp://127.0.0.1:1',
        }),
      )
      const line = await found(
        'the warning',
        async () => server.output.find((said) => said.includes('check SMTP_URL')) ?? null,
      )
      expect(line).to.include('The mail server cannot be reached')
    })
  })
})

describe('a start that migrates', () => {
  let storage: S3Server
  before(async () => {
    storage = await startS3Server({ buckets: BUCKETS })
  })
  after(() => storage.close())

  it('lives at once and says that it migrates, in its answers and in the log', async () => {
    const empty = await createEmptyDatabase()
    const holder = new Client(empty.url)
    try {
      // As long as this is held, whoever wants to migrate waits.
      await holder.connect()
      await holder.query(lockUntilUnlocked(LOCKS.migration))
      const port = await freePort()
      let output: readonly string[] = []
      const starting = startServer(
        {
          DATABASE_URL: empty.url,
          AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
          ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
          ...storage.settings,
          PORT: String(port),
        },
        { onOutput: (lines) => (output = lines) },
      )
      const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
      const unready = await found('that it migrates', async () => {
        const answer = await ask('/health/ready')
        const body = answer && ((await answer.json()) as { detail: string })
        return body?.detail.includes('migrating') === true ? { answer, body } : null
      })
      expect(unready.answer!.status).to.equal(503)
      expect(unready.answer!.headers.get('retry-after')).to.equal('5')
      expect(unready.body).to.include({ code: 'ServiceUnavailableException', status: 503 })
      expect((await ask('/health/live'))!.status).to.equal(200)
      expect((await ask('/folders'))!.status).to.equal(503)
      await holder.end()
      await using server = await starting
      expect((await fetch(`${server.address}/health/ready`)).status).to.equal(200)
      const said = output.join('\n')
      expect(said).to.include('"msg":"migrating the database"').and.to.include('0001_people')
      expect(said).to.include('"msg":"migrated the database"')
    } finally {
      await holder.end()
      await empty.drop()
    }
  })
})

describe('a process whose database a later version migrates', () => {
  const database = useDatabase()
  let storage: S3Server
  before(async () => {
    storage = await startS3Server({ buckets: BUCKETS })
  })
  after(() => storage.close())

  it('says so, is not ready, and ends; another start ends with a sentence', async () => {
    const settings = {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      ...storage.settings,
    }
    await using server = await startServer(settings)
    expect((await fetch(`${server.address}/health/ready`)).status).to.equal(200)
    // What this version asks for is not there any more, before it can have noticed why.
    await database.pool.query(
      `begin; alter table users rename column email to called;
       insert into knex_migrations (name, batch, migration_time)
       values ('9999_from_the_future', 99, now()); commit`,
    )
    const signIn = await fetch(`${server.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
      body: JSON.stringify({ email: 'a@b.test', password: 'none' }),
    })
    expect(signIn.status).to.equal(503)
    expect(signIn.headers.get('retry-after')).to.equal('5')
    expect(await signIn.text()).to.include('of a later version than this process')
    const unready = await found('that it is not ready', async () => {
      const answer = await fetch(`${server.address}/health/ready`)
      return answer.status === 200 ? null : answer
    })
    expect(unready.status).to.equal(503)
    expect(((await unready.json()) as { parts: unknown }).parts).to.include({ schema: false })
    expect(await server.exited).to.deep.equal({ code: 1, signal: null })
    const said = 'The database is of a later version of the service'
    expect(server.output.join('\n')).to.include(said)
    const { message } = await failure(startServer(settings))
    expect(message).to.match(/^The service ended with 1:/)
    expect(message).to.include(said)
    expect(message).not.to.match(STACK)
  })
})

describe('a process that is told to stop behind a proxy', () => {
  const database = useDatabase()
  let storage: S3Server
  before(async () => {
    storage = await startS3Server({ buckets: BUCKETS })
  })
  after(() => storage.close())
  const startWith = (delay: string) =>
    startServer({
      DATABASE_URL: database.url,
      AUTH_SECRET: 'a-secret-that-only-tests-know-of-0123456789',
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      SHUTDOWN_DELAY: delay,
      ...storage.settings,
    })

  it('is not ready for SHUTDOWN_DELAY, and answers all else; a second signal ends it', async () => {
    await using server = await startWith('10m')
    const ask = (path: string) =>
      fetch(server.address + path, { headers: { 'accept-language': 'en' } })
    process.kill(server.pid, 'SIGTERM')
    const unready = await found('that it is not ready', async () => {
      const answer = await ask('/health/ready')
      return answer.status === 200 ? null : answer
    })
    expect(unready.status).to.equal(503)
    expect(await unready.text()).to.include('This process stops soon')
    expect((await ask('/health/live')).status).to.equal(200)
    expect((await ask('/sources')).status).to.equal(401)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).to.deep.equal({ code: 1, signal: null })
  })

  it('stops in order afterwards', async () => {
    await using server = await startWith('100ms')
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).to.deep.equal({ code: 0, signal: null })
  })
})

describe('cli token under an identity provider', () => {
  const database = useDatabase()

  it('says in a sentence that tokens come from there', async () => {
    const { code, stdout, stderr } = await runCli(['token', '--email', 'a@b.test'], {
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      AUTH_JWKS_URL: 'http://127.0.0.1:1/keys',
    })
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' })
    expect(stderr).to.include('AUTH_JWKS_URL')
    expect(stderr).not.to.match(STACK)
  })
})
