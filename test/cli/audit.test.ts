import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { readConfig } from '../../src/config/config.ts'
import { recordDeed } from '../../src/domain/audit/audit.ts'
import { type ChainEnd, fromLine, toLine } from '../../src/domain/audit/chain.ts'
import { type ExportFlaw, verifyExported } from '../../src/domain/audit/exported-files.ts'
import { keepAudit } from '../../src/domain/audit/keep-audit.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { openStorage } from '../../src/start/adapters.ts'
import type { ObjectStore } from '../../src/storage/object-store.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { useFolder } from '../support/folder.ts'
import { startS3Server } from '../support/s3-server/index.ts'

/** 1-3, 4-6 and 7-9; two more are in the database. */
const EXPORTS = 3
const OF_EACH = 3
const KEYS = ['audit/0/1-3.ndjson', 'audit/0/4-6.ndjson', 'audit/0/7-9.ndjson'] as const

for (const kind of ['a folder', 'S3'] as const) {
  describe(`cli audit verify, of what was exported to ${kind}`, () => {
    const database = useDatabase()
    const dataDir = useFolder('cli-audit')
    let env: Record<string, string>
    let store: ObjectStore
    let close = async (): Promise<void> => undefined

    before(async () => {
      const server = kind === 'S3' ? await startS3Server({ buckets: ['documents'] }) : null
      env = {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir.path,
        AUTH_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
        ...server?.settings,
      }
      store = (await openStorage(readConfig(env), () => '')).store
      close = async () => {
        await store.close()
        await server?.close()
      }
      const { pool } = database
      const logger = createLogger({ level: 'silent', pretty: false })
      for (let nth = 0; nth < EXPORTS; nth++) {
        await addEntries(OF_EACH)
        await keepAudit({ pool, store, logger }, 0)
      }
      await addEntries(2)
    })
    after(() => close())

    const addEntries = async (count: number) => {
      for (let nth = 0; nth < count; nth++) {
        const by = { actor: { email: 'somebody@demo.test' }, via: 'cli' } as const
        await recordDeed(database.pool, { action: 'seed.fill', by })
      }
    }
    const verify = async (...options: string[]) => {
      const { code, stdout, stderr } = await runCli(['audit', 'verify', ...options], env)
      expect(stderr).to.equal('')
      return { code, told: stdout.trimEnd().split('\n') }
    }
    const flaws = async (): Promise<ExportFlaw[]> => {
      const { rows } = await database.pool.query<ChainEnd>(
        `select exported_number as number, encode(exported_hash, 'hex') as hash from audit_chains`,
      )
      const { signal } = new AbortController()
      return Array.fromAsync(verifyExported(store, 0, rows[0]!, signal))
    }
    const read = async (key: string) => text((await store.get(store.defaultBucket, key)).stream)
    const write = async (key: string, content: string) => {
      await store.deleteMany(store.defaultBucket, [key])
      await store.put(store.defaultBucket, key, Readable.from([content]))
    }
    /** Undone afterwards. */
    const withFile = async (key: string, content: string | null, check: () => Promise<void>) => {
      const before = await read(key).catch(() => null)
      const put = (what: string | null) =>
        what === null ? store.deleteMany(store.defaultBucket, [key]) : write(key, what)
      await put(content)
      try {
        await check()
      } finally {
        await put(before)
      }
    }

    it('finds it right', async () => {
      const { code, told } = await verify()
      expect(told).to.have.lengthOf(2)
      expect(told[0]).to.match(/^no enterprise: 2 entries are right, up to number 11, hash \w{64}$/)
      expect(told[1]).to.match(
        /^no enterprise: what was exported is right, up to number 9, hash \w{64}$/,
      )
      expect(code).to.equal(0)
    })

    it('names the entries of a file that is missing', async () => {
      await withFile(KEYS[1], null, async () => {
        const { code, told } = await verify()
        expect(told.slice(1)).to.deep.equal([
          'no enterprise: entries 4 to 6 were exported, and their file is MISSING',
        ])
        expect(code).to.equal(1)
      })
      await withFile(KEYS[2], null, async () => {
        expect(await flaws()).to.deep.equal([{ kind: 'missing', first: 7, last: 9 }])
      })
    })

    it('names the file that was altered, and the line', async () => {
      await withFile(KEYS[0], (await read(KEYS[0])).replace('somebody@', 'nobody@'), async () => {
        const { code, told } = await verify()
        expect(told.slice(1)).to.deep.equal([
          `no enterprise: ${KEYS[0]}, line 1: an entry was CHANGED`,
        ])
        expect(code).to.equal(1)
      })
    })

    it('takes the first files, and no others, for expired when told so', async () => {
      await withFile(KEYS[0], null, async () => {
        const { code, told } = await verify('--expired')
        expect(told.slice(1).join('\n')).to.match(
          /entries 1 to 3 .+ MISSING\nno enterprise: what was exported is right, up to number 9,/,
        )
        expect(code).to.equal(0)
      })
      await withFile(KEYS[1], null, async () => {
        expect((await verify('--expired')).code).to.equal(1)
      })
    })

    const alterations: readonly (readonly [
      ExportFlaw['kind'],
      number,
      (lines: readonly string[]) => readonly string[],
    ])[] = [
      ['changed', 2, ([one, two, three]) => [one!, two!.replace('cli', 'job'), three!]],
      ['removed', 1, ([, two, three]) => [two!, three!]],
      ['removed', 2, ([one, , three]) => [one!, three!]],
      ['removed', 2, ([one, two]) => [one!, two!]],
      ['removed', 0, () => []],
      ['inserted', 3, ([one, two, three]) => [one!, two!, two!, three!]],
      ['changed', 2, ([one, , three]) => [one!, '{}', three!]],
    ]
    for (const [flaw, line, alter] of alterations) {
      it(`knows what was ${flaw} in a file: line ${line} of ${alter(['1', '2', '3']).join()}`, async () => {
        const lines = (await read(KEYS[1])).trimEnd().split('\n')
        await withFile(KEYS[1], `${alter(lines).join('\n')}\n`.trimStart(), async () => {
          expect(await flaws()).to.deep.equal([{ kind: flaw, key: KEYS[1], line }])
        })
      })
    }

    it('finds a last file whose hashes were all written anew', async () => {
      let before = fromLine((await read(KEYS[1])).trimEnd().split('\n')[2]!)!.hash
      const lines = (await read(KEYS[2]))
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { number, text: entry } = fromLine(line)!
          const forged = entry.replace('somebody@', 'nobody@')
          before = hash('sha256', `${before} ${forged}`)
          return toLine({ number, text: forged, hash: before })
        })
      await withFile(KEYS[2], lines.join(''), async () => {
        expect(await flaws()).to.deep.equal([{ kind: 'changed', key: KEYS[2], line: 3 }])
      })
    })

    it('passes over what a process has left that died before it said what it had exported', async () => {
      const all = await Promise.all(KEYS.map(read))
      await withFile('audit/0/4-7.ndjson', `${all[1]}${all[2]!.split('\n')[0]}\n`, async () => {
        expect(await flaws()).to.deep.equal([])
      })
      await withFile('audit/0/10-11.ndjson', 'unfinished', async () => {
        expect(await flaws()).to.deep.equal([])
      })
    })

    it('follows copies that lie elsewhere, in order', async () => {
      const paths = await Promise.all(
        KEYS.map(async (key, nth) => {
          const path = join(dataDir.path, `${nth}.ndjson`)
          await writeFile(path, await read(key))
          return path
        }),
      )
      const right = await verify(...paths)
      expect(right.told[0]).to.match(/^Right up to number 9, hash \w{64}$/)
      expect((await verify(paths[0]!, paths[2]!)).told).to.deep.equal([
        `${paths[2]}, line 1: an entry was REMOVED`,
      ])
      expect((await verify(paths[1]!, paths[0]!)).told).to.deep.equal([
        `${paths[0]}, line 3: an entry was INSERTED`,
      ])
    })
  })
}
