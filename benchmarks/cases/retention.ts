import type { Pool } from 'pg'

import { withTransaction } from '../../src/db/transaction.ts'
import { removeOldKeys } from '../../src/domain/idempotency.ts'
import { removeOldLoads } from '../../src/stack/keep/keep-states.ts'
import { forgetRejects, openRejects } from '../../src/stack/fill/rejects.ts'
import { quoteTable } from '../../pipelines/index.ts'
import { loadsSchemaOf, rejectsOf } from '../../src/stack/table/enterprise-schemas.ts'
import { removeOldJobs } from '../../src/jobs/remove-old-jobs.ts'
import { type BenchmarkCase, type Figure, median } from '../benchmark.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { createAdmin } from '../support/users.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 2 * DAY_MS
/** How much less the smaller of two deletions has to delete. */
const TIMES_FEWER = 10
const LOADS_A_TABLE = 1000

/** What ends is deleted again, however much of it there is. */
export const retentionCase: BenchmarkCase = {
  name: 'retention',
  summary: 'deleting records that are kept no longer: jobs, loads, idempotency keys, rejects',
  rows: 10_000_000,
  async run({ rows, databaseUrl }) {
    // One connection: what it has read is counted when it ends a transaction.
    await using database = await migratedDatabase(databaseUrl, 1)
    const { url, pool } = database
    await createAdmin(url)
    const fewer = Math.ceil(rows / TIMES_FEWER)
    const contenders = []
    const figures: Figure[] = []
    let wholeReads = 0
    for (const kind of await kindsOf(pool)) {
      const spent: Spent[] = []
      const measured = await inTurns(
        { fewer: deletion(pool, kind, fewer, spent), all: deletion(pool, kind, rows, spent) },
        1,
      )
      contenders.push(measured.fewer, measured.all)
      figures.push({
        what: `times as long for one of ${rows.toLocaleString('en')} ${kind.name} as for one of ${fewer.toLocaleString('en')}`,
        found: median(measured.all.samples) / rows / (median(measured.fewer.samples) / fewer),
        atMost: 1.5,
      })
      for (const { expired, blocksRead, blocksLogged, wholeReads: ofKind } of spent) {
        const thousand = `a thousand of ${expired.toLocaleString('en')} ${kind.name}`
        figures.push(
          { what: `blocks read to delete ${thousand}`, found: (blocksRead / expired) * 1000 },
          {
            what: `blocks logged as a whole for ${thousand}`,
            found: (blocksLogged / expired) * 1000,
          },
        )
        wholeReads += ofKind
      }
    }
    figures.push({
      what: 'times a whole table was read for it',
      found: wholeReads,
      atMost: 0,
    })
    return {
      input: `${rows.toLocaleString('en')} expired records of each kind, and a tenth as many`,
      rows: null,
      bytes: null,
      contenders,
      figures,
      caveats: [
        'Beside the expired ones stand a tenth as many that are kept.',
        'Each kind is deleted once: making the records takes longer than deleting them.',
        'A tenth of the rejects may fit the memory of the database (shared_buffers, 128 MB of the embedded one) and be gone before a checkpoint; of all of them each page is read and written once meanwhile.',
      ],
    }
  },
}

interface Kind {
  readonly name: string
  /** So many that have expired, and some that have not. */
  make(expired: number, kept: number): Promise<unknown>
  remove(): Promise<unknown>
}

/** What a deletion has asked of the server. */
interface Spent {
  readonly expired: number
  readonly blocksRead: number
  readonly blocksLogged: number
  readonly wholeReads: number
}

function deletion(pool: Pool, kind: Kind, expired: number, spent: Spent[]): Contender {
  return {
    name: `delete ${expired.toLocaleString('en')} ${kind.name}`,
    isOurs: true,
    async prepare() {
      await kind.make(expired, Math.ceil(expired / TIMES_FEWER))
      await pool.query('vacuum analyze')
    },
    async run() {
      const before = await readCounters(pool)
      const measured = await time(() => kind.remove())
      const after = await readCounters(pool)
      spent.push({
        expired,
        blocksRead: after.blocksRead - before.blocksRead,
        blocksLogged: after.blocksLogged - before.blocksLogged,
        wholeReads: after.wholeReads - before.wholeReads,
      })
      return measured
    },
  }
}

async function kindsOf(pool: Pool): Promise<Kind[]> {
  const ended = `now() - case when n > $1 then interval '1 hour' else interval '3 days' end
    - n * interval '1 millisecond'`
  const table = { id: await newTable(pool, 'with_rejects'), enterpriseId: await enterprise(pool) }
  const client = await pool.connect()
  try {
    await client.query(`create schema ${loadsSchemaOf(table.enterpriseId)}`)
    await openRejects(client, table)
  } finally {
    client.release()
  }
  return [
    {
      name: 'jobs',
      make: (expired, kept) =>
        pool.query(
          `insert into jobs (kind, owner_id, queued, status, finished_at)
           select 'old', (select min(id) from users), true, 'SUCCEEDED', ${ended}
           from generate_series(1, $1 + $2::integer) n`,
          [expired, kept],
        ),
      remove: () => removeOldJobs(pool, KEPT_MS),
    },
    {
      name: 'loads',
      async make(expired, kept) {
        const id = await newTable(pool, `of_${expired}_loads`)
        await pool.query(
          `insert into generated_tables (enterprise_id, name)
           select min(id), $1 || n from enterprises, generate_series(1, $2) n group by n`,
          [`t${expired}_`, Math.ceil((expired + kept) / LOADS_A_TABLE)],
        )
        // Of each table a chain of appends that was replaced, as reloads leave them.
        await pool.query(
          `insert into loads (id, table_id, number, kind, mode, state, root_id, parent_id, finished_at)
           overriding system value
           select base + n, $3 + 1 + n / ${LOADS_A_TABLE}, 1 + n % ${LOADS_A_TABLE}, 'reload', 'append', 'gone',
                  base + n - n % ${LOADS_A_TABLE},
                  case when n % ${LOADS_A_TABLE} > 0 then base + n - 1 end, ${ended}
           from (select coalesce(max(id), 0) + 1 as base from loads) highest,
                generate_series(0, $1 + $2::integer - 1) n`,
          [expired, kept, id],
        )
      },
      remove: () => removeOldLoads(pool, KEPT_MS),
    },
    {
      name: 'idempotency keys',
      make: (expired, kept) =>
        pool.query(
          `insert into idempotency_keys (actor_id, key, fingerprint, created_at)
           select (select min(id) from users), 'key ' || n, '', ${ended}
           from generate_series(1, $1 + $2::integer) n on conflict do nothing`,
          [expired, kept],
        ),
      remove: () => removeOldKeys(pool),
    },
    {
      name: 'rejects',
      make: (expired, kept) =>
        pool.query(
          `insert into ${quoteTable(rejectsOf(table))} (load, "row", message, raw)
           select case when n > $1 then -2 else -1 end, n, 'is no number', '{"n":"none"}'
           from generate_series(1, $1 + $2::integer) n`,
          [expired, kept],
        ),
      remove: () => forgetRejects((work) => withTransaction(pool, work), table),
    },
  ]
}

async function enterprise(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select min(id) as id from enterprises')
  return rows[0]!.id
}

async function newTable(pool: Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into generated_tables (enterprise_id, name)
     select min(id), $1 from enterprises returning id`,
    [name],
  )
  return rows[0]!.id
}

/** Of the server, since it was made; whole reads are those of the tables of records. */
async function readCounters(pool: Pool): Promise<Omit<Spent, 'expired'>> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<Omit<Spent, 'expired'>>(
    `select (select blks_read from pg_stat_database where datname = current_database())::float8 as "blocksRead",
            (select wal_fpi from pg_stat_wal)::float8 as "blocksLogged",
            (select coalesce(sum(seq_scan), 0) from pg_stat_user_tables
             where relname in ('jobs', 'loads', 'idempotency_keys'))::float8 as "wholeReads"`,
  )
  return rows[0]!
}
