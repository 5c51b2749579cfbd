import { execFileSync, spawn } from 'node:child_process'
import { chown, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { expect } from 'chai'
import { Client } from 'pg'

import { type Account, canReach } from '../../../src/db/embedded/account.ts'
import {
  type EmbeddedPostgres,
  FolderBusyError,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '../../../src/db/embedded/index.ts'
import { processStart } from '../../../src/db/embedded/process-identity.ts'
import { makeFolder } from '../../support/folder.ts'
import { useOwners } from './owner-process.ts'
import { failure } from '../../support/failure.ts'
import { eventually, until } from '../../support/patience.ts'

const IS_ROOT = process.geteuid?.() === 0
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

describe('the embedded PostgreSQL', () => {
  const owners = useOwners()
  let root = ''
  let folder = ''

  before('makes a folder that people really have', async () => {
    root = await makeFolder('embedded')
    folder = join(root, "Données d'été (1)")
    await withServer(folder, async ({ url }) => {
      await query(url, 'create table kept (word text)')
      await query(url, "insert into kept values ('été')")
    })
  })

  after(() => rm(root, { recursive: true, force: true }))

  it('finds its data at the same address, in a path with spaces, accents and quotes', async () => {
    const before = await readFile(join(folder, 'connection-url'), 'utf8')
    await withServer(folder, async ({ url }) => {
      expect(url).to.equal(before.trim())
      expect(await query(url, "select word from kept where word = 'été'")).to.have.length(1)
    })
  })

  it('admits roles that it makes, which can do only what they are granted', async () => {
    const OLD_RULES = 'host all administration 127.0.0.1/32 scram-sha-256\n'
    await withServer(folder, async () => undefined)
    // As a version before this left it.
    await writeFile(join(await realpath(join(folder, 'data')), 'pg_hba.conf'), OLD_RULES)
    await withServer(folder, async ({ url }) => {
      await query(url, `create role reader login password 'reader'`)
      const reader = new URL(url)
      reader.username = reader.password = 'reader'
      expect(await query(reader.href, 'select current_user as me')).to.deep.equal([
        { me: 'reader' },
      ])
      for (const statement of [
        'select pg_advisory_lock(5001, 1)',
        'select pg_try_advisory_xact_lock_shared(1)',
        'select lo_create(0)',
        `select lo_from_bytea(0, 'x')`,
        'create temporary table mine (v text)',
        'select word from kept',
        'create role another',
        `select pg_read_file('PG_VERSION')`,
        `copy (select 1) to program 'true'`,
      ]) {
        expect(String(await failure(query(reader.href, statement))), statement).to.match(
          /permission denied/,
        )
      }
      expect(await query(url, 'select pg_advisory_lock(5001, 1)')).to.have.length(1)
      reader.pathname = '/postgres'
      expect(String(await failure(query(reader.href, 'select 1')))).to.match(/permission denied/)
    })
  })

  it('gives a role without superuser rights, and keeps the address to itself', async () => {
    await withServer(folder, async ({ url }) => {
      const rows = await query(url, 'select rolsuper from pg_roles where rolname = current_user')
      expect(rows).to.deep.equal([{ rolsuper: false }])
      const superuser = new URL(url)
      superuser.username = 'postgres'
      expect(String(await failure(query(superuser.href, 'select 1')))).to.match(
        /pg_hba.conf rejects connection/,
      )
      const wrong = new URL(url)
      wrong.password = 'wrong'
      expect(String(await failure(query(wrong.href, 'select 1')))).to.match(
        /password authentication/,
      )
    })
    expect((await stat(join(folder, 'connection-url'))).mode & 0o777).to.equal(0o600)
    expect((await stat(join(folder, 'data'))).mode & 0o777).to.equal(0o700)
  })

  it('refuses a folder that another process works on, naming that process', async () => {
    const owner = await owners.start(folder)
    try {
      const refused = await startEmbeddedPostgres({ folder }).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(FolderBusyError)
      expect((refused as FolderBusyError).ownerPid).to.equal(owner.process.pid)
      expect(await runningPostgresUrl(folder)).to.equal(owner.url)
      expect(await query(owner.url, 'select 1 as one')).to.have.length(1)
    } finally {
      await owners.end(owner, 'SIGTERM')
    }
    expect(await runningPostgresUrl(folder)).to.equal(undefined)
  })

  it('lets one of two win that start at the same instant', async () => {
    const started = await Promise.allSettled([owners.start(folder), owners.start(folder)])
    const won = started.filter((start) => start.status === 'fulfilled')
    const lost = started.find((start) => start.status === 'rejected')
    try {
      expect(won).to.have.length(1)
      expect(String(lost?.reason)).to.match(/is in use by process \d+/)
    } finally {
      for (const { value } of won) await owners.end(value, 'SIGTERM')
    }
  })

  it('finds what was committed after its process was killed', async () => {
    const owner = await owners.start(folder)
    await query(owner.url, "insert into kept values ('committed')")
    const orphan = await postmasterPid(folder)
    await owners.end(owner, 'SIGKILL')
    expect(await processStart(orphan)).to.be.a('string')
    await withServer(folder, async ({ url }) => {
      const rows = await query(url, "select word from kept where word = 'committed'")
      expect(rows).to.have.length(1)
      expect(await processStart(orphan)).to.equal(undefined)
    })
  })

  it('recovers when process and database were both killed', async () => {
    const owner = await owners.start(folder)
    await query(owner.url, "insert into kept values ('recovered')")
    const orphan = await postmasterPid(folder)
    await owners.end(owner, 'SIGKILL')
    process.kill(orphan, 'SIGKILL')
    await withServer(folder, async ({ url }) => {
      const rows = await query(url, "select word from kept where word = 'recovered'")
      expect(rows).to.have.length(1)
    })
  })

  it('does not wait for a statement that outlives process and database', async () => {
    const owner = await owners.start(folder)
    const client = new Client(owner.url)
    client.on('error', () => undefined)
    await client.connect()
    // Adds up without ever looking whether its postmaster still lives.
    const endless = client.query('select sum(g) from generate_series(1, 1e12) g').catch(String)
    await eventually(async () => {
      const running = await query(
        owner.url,
        "select from pg_stat_activity where query like 'select sum(g)%' and state = 'active'",
      )
      expect(running).to.have.length(1)
    })
    const orphan = await postmasterPid(folder)
    await owners.end(owner, 'SIGKILL')
    process.kill(orphan, 'SIGKILL')
    await withServer(folder, async ({ url }) => {
      expect(await query(url, 'select 1 as one')).to.have.length(1)
    })
    expect(await endless).to.be.a('string')
  })

  it('is not held up by a pid file whose number belongs to another process now', async () => {
    const stranger = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    try {
      const data = await realpath(join(folder, 'data'))
      const stale = `${stranger.pid}\n${data}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`
      await writeFile(join(data, 'postmaster.pid'), stale)
      await withServer(folder, async ({ url }) => {
        expect(await query(url, 'select 1 as one')).to.deep.equal([{ one: 1 }])
      })
      expect(await processStart(stranger.pid ?? 0)).to.be.a('string')
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  it('is not held up by the claim of a process that is gone, or of one with its number', async () => {
    await writeFile(join(folder, 'owner-999999999-0.1'), '')
    await writeFile(join(folder, `owner-${process.ppid}-another.life`), '')
    await withServer(folder, async ({ url }) => {
      expect(await query(url, 'select 1 as one')).to.have.length(1)
    })
  })

  it('takes another port when its own was taken in the meantime', async () => {
    const { createServer } = await import('node:net')
    const remembered = new URL(await readFile(join(folder, 'connection-url'), 'utf8'))
    const squatter = createServer()
    await new Promise<void>((resolve) => {
      squatter.listen(Number(remembered.port), '127.0.0.1', resolve)
    })
    try {
      await withServer(folder, async ({ url }) => {
        expect(new URL(url).port).not.to.equal(remembered.port)
        expect(await query(url, 'select 1 as one')).to.have.length(1)
      })
    } finally {
      squatter.close()
    }
  })

  it('starts the database again when it ends by itself, at the same address', async () => {
    await withServer(folder, async ({ url }) => {
      process.kill(await postmasterPid(folder), 'SIGKILL')
      await eventually(async () => {
        expect(await query(url, 'select 1 as one')).to.have.length(1)
      })
    })
  })

  it('starts over after a start that was killed half-way', async () => {
    const fresh = join(root, 'half-way')
    await mkdir(join(fresh, 'data.unfinished-abc', 'base'), { recursive: true })
    const abort = new AbortController()
    const aborted = startEmbeddedPostgres({ folder: fresh, signal: abort.signal })
    await until('it makes its files', async () =>
      (await readdir(fresh)).some(
        (name) => name.startsWith('data.unfinished-') && name !== 'data.unfinished-abc',
      ),
    )
    abort.abort()
    expect(String(await failure(aborted))).to.match(/abort/i)
    await withServer(fresh, async ({ url }) => {
      expect(await query(url, 'select 1 as one')).to.have.length(1)
    })
  })

  it('does not start a database whose password is gone, and says so', async () => {
    const file = join(folder, 'connection-url')
    const kept = await readFile(file)
    await rm(file)
    try {
      expect(String(await failure(startEmbeddedPostgres({ folder })))).to.match(
        /connection-url is gone/,
      )
    } finally {
      await writeFile(file, kept, { mode: 0o600 })
    }
  })

  it('says what to do when the folder cannot be made', async () => {
    const file = join(root, 'a-file')
    await writeFile(file, '')
    expect(String(await failure(startEmbeddedPostgres({ folder: join(file, 'data') })))).to.match(
      /data folder .*a-file.* cannot be made/,
    )
  })

  if (IS_ROOT) {
    it('runs as another user under root', async () => {
      await withServer(folder, async () => {
        const pid = await postmasterPid(folder)
        const uid = execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' })
        expect(Number(uid))
          .to.equal((await stat(join(folder, 'data'))).uid)
          .and.not.equal(0)
      })
    })

    it('keeps the data in an open place when the chosen folder is closed to others', async () => {
      const closed = join(root, 'closed')
      await mkdir(closed, { mode: 0o700 })
      const inside = join(closed, 'data-dir')
      let real = ''
      try {
        await withServer(inside, async ({ url }) => {
          await query(url, 'create table kept (word text)')
        })
        real = await realpath(join(inside, 'data'))
        expect(real).to.match(/^\/var\/lib\//)
        await withServer(inside, async ({ url }) => {
          expect(await query(url, 'select * from kept')).to.deep.equal([])
        })
        await rm(dirname(real), { recursive: true })
        expect(String(await failure(startEmbeddedPostgres({ folder: inside })))).to.match(/is gone/)
      } finally {
        if (real !== '') await rm(dirname(real), { recursive: true, force: true })
      }
    })

    it('works for an ordinary user, and for root on that user’s data', async () => {
      // Where the checkout itself is closed to others no other user can run this at all.
      expect(await canReach(NOBODY, import.meta.dirname)).to.equal(true)
      const theirs = join(root, 'theirs')
      await mkdir(theirs)
      await chown(theirs, NOBODY.uid, NOBODY.gid)
      const owner = await owners.start(theirs, NOBODY)
      await query(owner.url, 'create table kept (word text)')
      await owners.end(owner, 'SIGTERM')
      await withServer(theirs, async ({ url }) => {
        expect(await query(url, 'select * from kept')).to.deep.equal([])
      })
      const again = await owners.start(theirs, NOBODY)
      await owners.end(again, 'SIGTERM')
    })

    it('tells an ordinary user whose data it is that they cannot start', async () => {
      const refused = owners.start(folder, { uid: 65_533, gid: 65_533 })
      expect(String(await failure(refused))).to.match(/cannot be written to|belongs to user id/)
    })
  }
})

async function withServer(
  folder: string,
  use: (server: EmbeddedPostgres) => Promise<void>,
): Promise<void> {
  const server = await startEmbeddedPostgres({ folder })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function postmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
}
