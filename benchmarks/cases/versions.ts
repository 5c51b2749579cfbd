import { join } from 'node:path'

import type { Pool } from 'pg'

import { inRange, rangeFrom } from '../../src/stack/table/partitions.ts'
import { type BenchmarkCase, type BenchmarkResult, median, timesAsLong } from '../benchmark.ts'
import { writeMessyCsv } from '../generators/messy-csv.ts'
import { writeNarrowCsv } from '../generators/narrow-csv.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { type Measured, time } from '../support/measure.ts'
import { longestWait, untilHouseIsKept } from '../support/readers-wait.ts'
import { loadByEngine } from '../support/load-by-engine.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { copyThroughPg } from '../support/psql-copy.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'
import { loadForOwners } from './owners.ts'

const SMALL_ROWS = 10_000
const APPENDED_ROWS = 10_000
const MANY_APPENDS = 1000
const ROWS_AN_APPEND = 100
const PAGES_TIMED = 40
/** Each is over in an instant, and what else the machine does weighs the more. */
const PUBLICATIONS = 30
/** The difference is less than what one load differs from the next. */
const FILLS = 15
const COLUMNS = 'id bigint, customer text, amount numeric'

/** What a table made of loads costs, beside the same with a small one, or in SQL without us. */
export const versionsCase: BenchmarkCase = {
  name: 'versions',
  summary: 'publishing, appending, paging and comparing, in tables of many rows or many loads',
  rows: 10_000_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await migratedDatabase(databaseUrl)
      const { url, pool } = database
      await using service = await benchedService(url, join(folder, 'data'))
      return await measureAll({ service, pool, url, folder, rows, runs })
    }),
}

interface Stand {
  readonly service: BenchedService
  readonly pool: Pool
  readonly url: string
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

async function measureAll(stand: Stand): Promise<BenchmarkResult> {
  const { rows, runs } = stand
  const large = await sourceOf(stand, 'large', rows)
  const locks = await publications(stand, large)
  const appends = await appending(stand, large)
  await stand.service.fetch(`/sources/${large}`, { method: 'DELETE' })
  const pages = await paging(stand)
  const changes = await comparing(stand, Math.ceil(rows / 5))
  const fills = await filling(stand, Math.ceil(rows / 10))
  const owners = await loadForOwners(stand, Math.ceil(rows / 50))
  return {
    input: `tables of ${rows.toLocaleString('en')} short rows and of ${SMALL_ROWS.toLocaleString('en')}; ${runs} runs`,
    rows: null,
    bytes: null,
    contenders: [
      ...Object.values(locks),
      ...Object.values(appends),
      ...Object.values(pages),
      ...Object.values(changes),
      ...Object.values(fills),
      ...owners.contenders,
    ],
    figures: [
      {
        what: 'ms that a reader waits for a publication, large table',
        found: median(locks.large.samples) * 1000,
        atMost: 50,
      },
      {
        what: 'times the wait at a small table',
        found: timesAsLong(locks.large, locks.small),
        atMost: 1.5,
      },
      {
        what: 'times an append to a small table',
        found: timesAsLong(appends.large, appends.small),
        atMost: 1.2,
      },
      {
        what: `times a page of one load, after ${MANY_APPENDS} appends`,
        found: timesAsLong(pages.many, pages.one),
        atMost: 2,
      },
      {
        what: 'times the bare full join, comparing by key',
        found: timesAsLong(changes.changes, changes.join),
        atMost: 2,
      },
      {
        what: 'times a load into a plain table, filling and attaching a partition',
        found: timesAsLong(fills.partition, fills.plain),
        atMost: 1.02,
      },
      ...owners.figures,
    ],
    caveats: [
      'Client, service and PostgreSQL share the cores.',
      'A publication is a rollback between two loads of the same size: nothing is loaded. The wait is that of a reader in the server who locks the table every millisecond, by the clock there: from the grant of the lock of a publication to the end of its commit. Statistics of the states before are made by then.',
      'The large table is appended to as often as the small one, in turns; both merge in between.',
      'Loads are by the engine in a process of its own; COPY alone takes rows that are ready.',
      'The service that owns its tables itself runs as a role that may make no roles, on the same server.',
      'The bare full join counts the same four numbers of the same rows in two plain tables, in psql or through pg, and shows no rows.',
    ],
  }
}

async function sourceOf({ service, folder }: Stand, name: string, rows: number): Promise<string> {
  const path = join(folder, `${name}.csv`)
  await writeNarrowCsv(path, { rows })
  const uuid = await service.createSource(path, name)
  await service.reload(uuid, path)
  return uuid
}

/** How long readers are kept away when another state is shown. */
async function publications(stand: Stand, large: string) {
  const small = await sourceOf(stand, 'small', SMALL_ROWS)
  const publish = (source: string, table: string) => async (): Promise<Measured> => ({
    ms: await longestWait(stand.pool, `${stand.service.schema}.${table}`, () =>
      rollBack(stand.service, source),
    ),
    peakRssBytes: null,
  })
  const prepare = () => untilHouseIsKept(stand.pool)
  return inTurns(
    {
      small: {
        name: `wait for a publication, ${SMALL_ROWS.toLocaleString('en')} rows`,
        prepare,
        run: publish(small, 'small'),
      },
      large: {
        name: `wait for a publication, ${stand.rows.toLocaleString('en')} rows`,
        isOurs: true,
        prepare,
        run: publish(large, 'large'),
      },
    },
    Math.max(stand.runs, PUBLICATIONS),
  )
}

async function rollBack(service: BenchedService, source: string): Promise<void> {
  await service.fetch(`/sources/${source}/rollback`, { method: 'POST' })
}

async function appending(stand: Stand, large: string) {
  const { service, folder, runs } = stand
  const hundredth = Math.max(1, Math.round(stand.rows / 100))
  const small = await sourceOf(stand, 'hundredth', hundredth)
  const path = join(folder, 'appended.csv')
  await writeNarrowCsv(path, { rows: APPENDED_ROWS, firstKey: stand.rows + 1 })
  const append = (source: string) => () =>
    time(() => service.reload(source, path, { mode: 'append' }))
  const what = `append ${APPENDED_ROWS.toLocaleString('en')} rows to`
  return inTurns(
    {
      small: { name: `${what} ${hundredth.toLocaleString('en')}`, run: append(small) },
      large: {
        name: `${what} ${stand.rows.toLocaleString('en')}`,
        isOurs: true,
        run: append(large),
      },
    },
    Math.max(runs, 5),
  )
}

async function paging(stand: Stand) {
  const { service, folder, runs } = stand
  const rows = MANY_APPENDS * ROWS_AN_APPEND
  const one = join(folder, 'one.csv')
  const part = join(folder, 'part.csv')
  await writeNarrowCsv(one, { rows })
  await writeNarrowCsv(part, { rows: ROWS_AN_APPEND })
  const whole = await service.createSource(one, 'whole')
  const pieces = await service.createSource(part, 'pieces')
  for (let load = 1; load < MANY_APPENDS; load++) {
    await service.reload(pieces, part, { mode: 'append' })
  }
  const read = (source: string) => () =>
    time(async () => {
      for (let turn = 0; turn < PAGES_TIMED; turn++) {
        const page = 1 + ((turn * 7919) % (rows / 50))
        await (await service.fetch(`/sources/${source}/data?page=${page}`)).text()
      }
    })
  return inTurns(
    {
      one: { name: `${PAGES_TIMED} pages of one load`, run: read(whole) },
      many: {
        name: `${PAGES_TIMED} pages after ${MANY_APPENDS} appends`,
        isOurs: true,
        run: read(pieces),
      },
    },
    Math.max(runs, 5),
  )
}

async function comparing(stand: Stand, rows: number) {
  const { service, pool, folder, url, runs } = stand
  const before = join(folder, 'before.csv')
  const after = join(folder, 'after.csv')
  const shift = Math.ceil(rows / 100)
  await writeNarrowCsv(before, { rows })
  await writeNarrowCsv(after, { rows, firstKey: 1 + shift, changedEvery: 50 })
  const source = await service.createSource(before, 'compared')
  await service.reload(source, after, { publish: 'false' })
  for (const [table, path] of [
    ['plain_before', before],
    ['plain_after', after],
  ] as const) {
    await pool.query(`create table public.${table} (${COLUMNS})`)
    await copyThroughPg(url, 'from', { table, path, format: 'csv', header: true })
    await pool.query(`analyze ${table}`)
  }
  const counts = { ours: '', bare: '' }
  const measured = await inTurns(
    {
      join: {
        name: `bare full join of 2 × ${rows.toLocaleString('en')} rows`,
        run: () =>
          time(async () => {
            const { rows: found } = await pool.query<Record<string, number>>(
              `select count(*) filter (where b.id is null) as added,
                      count(*) filter (where a.id is null) as removed,
                      count(*) filter (where a.id is not null and b.id is not null
                        and (a.customer, a.amount) is distinct from (b.customer, b.amount)) as changed,
                      count(*) filter (where (a.id, a.customer, a.amount)
                        is not distinct from (b.id, b.customer, b.amount)) as unchanged
               from plain_before b full join plain_after a on a.id = b.id`,
            )
            counts.bare = JSON.stringify(found[0])
          }),
      },
      changes: {
        name: `GET /sources/:uuid/changes of 2 × ${rows.toLocaleString('en')} rows, by key`,
        isOurs: true,
        run: () =>
          time(async () => {
            const answer = await service.fetch(`/sources/${source}/changes?key=id&limit=100`)
            const { added, removed, changed, unchanged } = (await answer.json()) as Record<
              string,
              number
            >
            counts.ours = JSON.stringify({ added, removed, changed, unchanged })
          }),
      },
    },
    runs,
  )
  if (counts.ours !== counts.bare) throw new Error(`${counts.ours} is not ${counts.bare}`)
  return measured
}

/** What the check on the rows' numbers and attaching cost a usual load, and what they cost COPY of short rows. */
async function filling(stand: Stand, rows: number) {
  return { ...(await loading(stand, rows)), ...(await copying(stand, rows)) }
}

async function loading({ url, folder }: Stand, rows: number) {
  const path = join(folder, 'messy.csv')
  await writeMessyCsv(rows, { messy: path, clean: join(folder, 'clean.csv') })
  const load = { path, url, schema: 'public', expectedRows: rows }
  const what = `load of ${rows.toLocaleString('en')} messy rows into a`
  return inTurns(
    {
      plain: {
        name: `${what} plain table`,
        run: () => loadByEngine({ ...load, table: 'plain' }),
      },
      partition: {
        name: `${what} partition`,
        isOurs: true,
        run: () => loadByEngine({ ...load, table: 'parted', becomesPartition: true }),
      },
    },
    FILLS,
  )
}

/** Of the same bytes, without anything that a load does besides. */
async function copying({ pool, url, folder, runs }: Stand, rows: number) {
  const path = join(folder, 'rows.bin')
  await pool.query(
    `create table public.numbered as select n as _row, n as id, 'customer ' || n % 9973 as customer,
            n + 0.25 as amount from generate_series(1::bigint, ${rows}) n`,
  )
  await copyThroughPg(url, 'to', { table: 'numbered', path, format: 'binary' })
  const check = `check (${inRange(rangeFrom(0n))})`
  const fill = (name: string, first: string, afterwards: string) => ({
    name: `COPY of ${rows.toLocaleString('en')} rows, ${name}`,
    prepare: async () => {
      await pool.query('drop table if exists filled')
      await pool.query(`create table public.filled (_row bigint not null, ${COLUMNS}${first})`)
    },
    run: () =>
      time(() =>
        copyThroughPg(url, 'from', {
          table: 'filled',
          path,
          format: 'binary',
          afterwards: `alter table filled add primary key (_row)${afterwards}`,
        }),
      ),
  })
  return inTurns(
    {
      unchecked: fill('unchecked', '', ''),
      checked: fill('each checked', `, ${check}`, ''),
      checkedLater: fill('checked at the end', '', `, add ${check}`),
    },
    Math.max(runs, 5),
  )
}
