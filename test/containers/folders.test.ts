import { chmod, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { makeFolder } from '../support/folder.ts'
import { createClient } from '../support/client.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { eventually } from '../support/patience.ts'
import { type S3Server, startS3Server } from '../support/s3-server/index.ts'
import { startServer } from '../support/server-process.ts'
import { createFromFile } from '../support/sources.ts'
import { rawWorkbook } from '../support/workbooks/raw-workbook.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const START = join(ROOT, 'src', 'start.js')
const SECRET = 'a-secret-that-only-tests-know-of-0123456789'
/** Nobody's in /etc/passwd; containers are given such users, with group 0. */
const SOMEBODY = { uid: 54_321, gid: 0 }
/** Only root can run something as another user; anybody else is somebody already. */
const account = process.getuid?.() === 0 ? { account: SOMEBODY } : {}

describe('a service whose root file system is read-only', () => {
  const database = useDatabase()
  let s3: S3Server
  let temporary: string
  before(async () => {
    s3 = await startS3Server({ buckets: ['documents'] })
    temporary = await makeFolder('containers')
    await chmod(temporary, 0o777)
  })
  after(async () => {
    await s3.close()
    await rm(temporary, { recursive: true, force: true })
  })

  const settings = (more: Readonly<Record<string, string>> = {}) => ({
    DATABASE_URL: database.url,
    AUTH_SECRET: SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    ...s3.settings,
    SMTP_URL: 'smtp://127.0.0.1:2525',
    TMPDIR: temporary,
    // Node itself refuses what a read-only file system would.
    NODE_OPTIONS: `--permission --allow-fs-read=* --allow-fs-write=${temporary}`,
    ...more,
  })

  it('runs under whatever user it is given, and loads with nothing to write to but a temporary folder', async () => {
    await using server = await startServer(settings({ DATA_DIR: '/nowhere' }), account)
    const client = createClient(server.address, SECRET)
    const build = createFactories(() => database.pool)
    const admin = client.as(await build.user({ role: 'admin' }))
    for (const [name, content] of [
      ['rows.csv', Buffer.from('Nom;Âge\nÉlodie;41\n')],
      ['rows.csv.gz', gzipSync('Nom;Âge\nÉlodie;41\n')],
    ] as const) {
      const made = await createFromFile(admin, content, {}, name)
      expect([made.status, made.body.rowCount], made.text).to.deep.equal([201, 1])
    }
    expect(await readdir(temporary)).to.deep.equal([])
    expect((await server.stop()).code).to.equal(0)
  })

  it('warns where mails would be written that nobody can write', async () => {
    const { SMTP_URL: _none, ...rest } = settings({ DATA_DIR: '/nowhere' })
    await using server = await startServer(rest, account)
    await eventually(async () =>
      expect(server.output.join('\n')).to.include('mails cannot be written: set SMTP_URL'),
    )
    await server.stop()
  })

  for (const [what, more, sentence] of [
    [
      'its documents',
      { S3_BUCKET: '', S3_ENDPOINT: '', DATA_DIR: '/dev/null' },
      '/dev/null/objects',
    ],
    ['its temporary files', { TMPDIR: '/dev/null/tmp' }, '/dev/null/tmp'],
  ] as const) {
    it(`says in a sentence that it cannot write ${what}`, async () => {
      const { NODE_OPTIONS: _free, ...rest } = settings(more)
      const refused = await startServer({ ...rest }, { script: START, ...account }).then(
        () => 'it started',
        (error: Error) => error.message,
      )
      expect(refused).to.include(`The folder ${sentence} cannot be written to by user `)
      expect(refused).to.include('it is not a folder. Set ')
      expect(refused).not.to.match(/^ +at /m)
    })
  }
})

describe('inspecting standard input', () => {
  const CSV = 'Nom;Âge\nÉlodie;41\n'

  it('needs no folder that can be written to', async () => {
    const { code, stdout, stderr } = await runCli(
      ['inspect', '-', '--json'],
      { NODE_OPTIONS: '--permission --allow-fs-read=*' },
      CSV,
    )
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(JSON.parse(stdout).columns).to.have.lengthOf(2)
  })

  it('says which folder it needs for what is too long for memory', async () => {
    const { code, stderr } = await runCli(
      ['inspect', '-'],
      { TMPDIR: '/dev/null/tmp' },
      CSV.repeat(1_000_000),
    )
    expect(code).to.equal(2)
    const { message } = JSON.parse(stderr) as { message: string }
    expect(message).to.match(/^The folder \/dev\/null\/tmp cannot be written to/)
  })

  it('says which folder it needs for a workbook', async () => {
    const rows = '<row r="1"><c t="inlineStr"><is><t>Nom</t></is></c></row>'
    const book = rawWorkbook({ sheets: [{ rows }] })
    const { code, stderr } = await runCli(['inspect', '-'], { TMPDIR: '/nowhere' }, book)
    expect(code).to.equal(2)
    const { message } = JSON.parse(stderr) as { message: string }
    expect(message).to.match(/^The folder \/nowhere cannot be written to .*: it does not exist/)
  })
})
