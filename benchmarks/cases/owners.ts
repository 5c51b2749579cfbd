import { join } from 'node:path'

import type { Pool } from 'pg'

import { type BenchmarkResult, timesAsLongInTurns } from '../benchmark.ts'
import { writeMessyCsv } from '../generators/messy-csv.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'
import { newKeys } from '../support/service-process.ts'
import { type BenchmarkUser, createAdmin } from '../support/users.ts'

/** One load differs from the next by ten times what is looked for. */
const TURNS = 40

interface Stand {
  readonly service: BenchedService
  readonly pool: Pool
  readonly url: string
  readonly folder: string
}

/** What it costs a load that its table belongs to the role of its enterprise, and not to the service. */
export async function loadForOwners(
  { service, pool, url, folder }: Stand,
  rows: number,
): Promise<Pick<BenchmarkResult, 'contenders' | 'figures'>> {
  const path = join(folder, 'owned.csv')
  await writeMessyCsv(rows, { messy: path, clean: '/dev/null' })
  const admin = await createAdmin(url, 'owners@demo.test')
  await using _unfit = await unfitRole(pool, admin)
  // It encrypts nothing, and does not know the keys of the other process.
  const environment = { ENCRYPTION_KEYS: newKeys().encryption.replace('bench', 'other') }
  await using other = await benchedService(url, join(folder, 'other'), environment, admin)
  const ofRole = await service.createSource(path, 'owned')
  const ofService = await other.createSource(path, 'owned')
  const what = `reload of ${rows.toLocaleString('en')} messy rows of`
  const measured = await inTurns(
    {
      service: {
        name: `${what} a table of the service itself`,
        run: () => time(() => other.reload(ofService, path)),
      },
      role: {
        name: `${what} a table of the role of an enterprise`,
        isOurs: true,
        run: () => time(() => service.reload(ofRole, path)),
      },
    },
    TURNS,
  )
  const before = await writtenSoFar(pool)
  await service.reload(ofRole, path)
  const written = (await writtenSoFar(pool)) - before
  const table = await newestLoad(pool, service.schema)
  const { isOfService } = await newestLoad(pool, other.schema)
  if (table.isOfService || !isOfService) throw new Error('The tables do not belong to two owners')
  return {
    contenders: Object.values(measured),
    figures: [
      {
        what: 'times a load into a table of the service, into one of a role of an enterprise, turn by turn',
        found: timesAsLongInTurns(measured.role, measured.service),
        atMost: 1.02,
      },
      {
        what: 'of its pages of rows, those that are left to vacuum',
        found: table.unfrozen,
        atMost: 0,
      },
      // Elsewhere every row is in the WAL, whoever owns its table.
      ...(table.walLevel === 'minimal'
        ? [{ what: 'bytes of WAL for a byte of it', found: written / table.bytes, atMost: 0.05 }]
        : []),
    ],
  }
}

/** A role with the name of the enterprise's own that cannot own tables: they stay the service's. */
async function unfitRole(pool: Pool, { enterpriseId }: BenchmarkUser): Promise<AsyncDisposable> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(current_user || '_e${enterpriseId}') as name`,
  )
  const { name } = rows[0]!
  await pool.query(`create role ${name} login`)
  return { [Symbol.asyncDispose]: async () => void (await pool.query(`drop role ${name}`)) }
}

async function writtenSoFar(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  return rows[0]!.bytes
}

interface NewestLoad {
  readonly isOfService: boolean
  readonly bytes: number
  /** How many of its pages vacuum would have to visit, without those that COPY has made ahead and not filled. */
  readonly unfrozen: number
  readonly walLevel: string
}

async function newestLoad(pool: Pool, schema: string): Promise<NewestLoad> {
  const { rows } = await pool.query<{ oid: number; name: string }>(
    `select oid, oid::regclass::text as name from pg_class
     where relnamespace = '${schema}_loads'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
     order by oid desc limit 1`,
  )
  const { oid, name } = rows[0]!
  await pool.query(`analyze ${name}`)
  const { rows: looks } = await pool.query<NewestLoad>(
    `select relowner = current_user::regrole as "isOfService",
            pg_relation_size(oid)::float8 as bytes,
            (select count(distinct (ctid::text::point)[0]) from ${name})::int - relallvisible as unfrozen,
            current_setting('wal_level') as "walLevel"
     from pg_class where oid = $1`,
    [oid],
  )
  return looks[0]!
}
