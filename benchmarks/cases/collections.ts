import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

import { type BenchmarkCase, type BenchmarkResult, median, timesAsLong } from '../benchmark.ts'
import { writeNarrowCsv } from '../generators/narrow-csv.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { longestWait, untilHouseIsKept } from '../support/readers-wait.ts'
import { sayOnTerminal } from '../support/say-on-terminal.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'

const MANY_SLOTS = 2000
const FEW_SLOTS = 20
const LEAST_ROWS_A_SLOT = 100
const REPLACEMENTS = 15
const PAGES_TIMED = 40
const MAIL_POLL_MS = 100

/** What one of many slots costs, beside one of few. */
export const collectionsCase: BenchmarkCase = {
  name: 'collections',
  summary: 'replacing one of many slots, and paging over them',
  rows: 10_000_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await migratedDatabase(databaseUrl)
      const { url, pool } = database
      await using service = await benchedService(url, join(folder, 'data'))
      return await measureAll({ service, pool, folder, rows, runs })
    }),
}

interface Stand {
  readonly service: BenchedService
  readonly pool: Pool
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

/** A source that is collected from so many senders, each of whom has sent a file. */
interface Collected {
  readonly table: string
  readonly source: string
  readonly collection: string
  /** Writes the next file, which is like no other: the same one would change nothing. */
  write(): Promise<void>
  /** Sends it; into another slot each time, since a link takes so many files an hour. */
  replace(): Promise<void>
}

async function measureAll(stand: Stand): Promise<BenchmarkResult> {
  const { rows, pool } = stand
  const many = Math.max(FEW_SLOTS, Math.min(MANY_SLOTS, Math.floor(rows / LEAST_ROWS_A_SLOT)))
  const rowsASlot = Math.ceil(rows / many)
  const few = await collect(stand, 'few', FEW_SLOTS, rowsASlot)
  const full = await collect(stand, 'many', many, rowsASlot)
  const name = `one of ${many.toLocaleString('en')} slots`
  const replaced = await replacing(stand, { few, full }, name)
  const locks: number[] = []
  for (let run = 0; run < REPLACEMENTS; run++) {
    await untilQuiet(pool)
    await full.write()
    locks.push(await longestWait(pool, `${stand.service.schema}.${full.table}`, full.replace))
  }
  const pages = await paging(stand, { few, full }, many)
  const boards = await boarding(stand, { few, full }, many)
  return {
    input: `${many.toLocaleString('en')} slots of ${rowsASlot.toLocaleString('en')} short rows, and ${FEW_SLOTS}`,
    rows: null,
    bytes: null,
    contenders: [...Object.values(replaced), ...Object.values(pages), ...Object.values(boards)],
    figures: [
      {
        what: `times ${name} of few, replacing as many rows`,
        found: timesAsLong(replaced.full, replaced.few),
        atMost: 1.2,
      },
      { what: 'ms that a reader waits for it', found: median(locks), atMost: 50 },
      {
        what: `times a page over ${FEW_SLOTS} slots`,
        found: timesAsLong(pages.full, pages.few),
        atMost: 2,
      },
      {
        what: `times a page of the board over ${FEW_SLOTS} slots`,
        found: timesAsLong(boards.full, boards.few),
        atMost: 2,
      },
    ],
    caveats: [
      'Client, service and PostgreSQL share the cores.',
      'A replacement is a file sent by its holder, from the request to the receipt. Nothing is cared for and no mail is sent meanwhile.',
      'The wait is that of a reader in the server who locks the table every millisecond, by the clock there.',
    ],
  }
}

async function collect(
  { service, pool, folder }: Stand,
  table: string,
  slots: number,
  rowsASlot: number,
): Promise<Collected> {
  const first = join(folder, `${table}.csv`)
  await writeNarrowCsv(first, { rows: 1 })
  const source = await service.createSource(first, table)
  const senders = Array.from({ length: slots }, (_, n) => ({
    key: `sender ${n + 1}`,
    name: `Sender ${n + 1}`,
    email: `sender${n + 1}@bench.test`,
  }))
  const { uuid, links } = await postJson<{
    readonly uuid: string
    readonly links: readonly { readonly url: string; readonly sender: { readonly uuid: string } }[]
  }>(service, '/collections', { name: table, sourceUuid: source, senders })
  const { rows: found } = await pool.query<{ slot: string; sender: string }>(
    `select sl.uuid as slot, se.uuid as sender
     from collection_slots sl join collection_senders se on se.id = sl.sender_id
     join collections c on c.id = se.collection_id where c.uuid = $1`,
    [uuid],
  )
  const slotOf = new Map(found.map(({ slot, sender }) => [sender, slot]))
  let files = 0
  const path = join(folder, 'sent.csv')
  const write = () => writeNarrowCsv(path, { rows: rowsASlot, firstKey: 1 + files++ })
  const send = async (at: number) => {
    const { url, sender } = links[at % slots]!
    const form = new FormData()
    form.append('file', new Blob([await readFile(path)]), 'sent.csv')
    const response = await fetch(`${service.address}/deliveries/${slotOf.get(sender.uuid)!}`, {
      method: 'PUT',
      headers: { 'x-delivery-token': url.split('#')[1]! },
      body: form,
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${answer}`)
  }
  for (let slot = 0; slot < slots; slot++) {
    if (slot % 100 === 0) sayOnTerminal(`  slot ${slot} of ${slots}`)
    await write()
    await send(slot)
  }
  let next = 0
  return { table, source, collection: uuid, write, replace: () => send(next++ * 7) }
}

async function postJson<Answer>(
  { address, token }: BenchedService,
  path: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'x-app-access-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Mails and merging take the processor for as long as some replacements. */
async function untilQuiet(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      'select from collection_mails where sent_at is null limit 1',
    )
    if (rowCount === 0) return untilHouseIsKept(pool)
    await sleep(MAIL_POLL_MS)
  }
}

interface Both {
  readonly few: Collected
  readonly full: Collected
}

function replacing({ pool, runs }: Stand, { few, full }: Both, name: string) {
  const contender = (what: string, { write, replace }: Collected) => ({
    name: `replacing ${what}`,
    prepare: async () => {
      await untilQuiet(pool)
      await write()
    },
    run: () => time(replace),
  })
  return inTurns(
    {
      few: contender(`one of ${FEW_SLOTS} slots`, few),
      full: { ...contender(name, full), isOurs: true },
    },
    Math.max(runs, REPLACEMENTS),
  )
}

function paging({ service, runs, pool }: Stand, { few, full }: Both, slots: number) {
  const read =
    ({ source }: Collected) =>
    async () => {
      const { total } = (await (await service.fetch(`/sources/${source}/data?limit=1`)).json()) as {
        total: number
      }
      return time(async () => {
        for (let turn = 0; turn < PAGES_TIMED; turn++) {
          const page = 1 + ((turn * 7919) % Math.ceil(total / 50))
          await (await service.fetch(`/sources/${source}/data?page=${page}&limit=50`)).text()
        }
      })
    }
  return inTurns(
    pairOf(pool, `${PAGES_TIMED} pages`, slots, read(few), read(full)),
    Math.max(runs, 5),
  )
}

function boarding({ service, runs, pool }: Stand, { few, full }: Both, slots: number) {
  const read =
    ({ collection }: Collected) =>
    () =>
      time(async () => {
        for (let turn = 0; turn < PAGES_TIMED; turn++) {
          await (await service.fetch(`/collections/${collection}/slots?limit=20`)).text()
        }
      })
  return inTurns(
    pairOf(pool, `${PAGES_TIMED} pages of the board`, slots, read(few), read(full)),
    Math.max(runs, 5),
  )
}

type Run = Parameters<typeof inTurns>[0][string]['run']

const pairOf = (pool: Pool, what: string, slots: number, few: Run, full: Run) => ({
  few: { name: `${what} over ${FEW_SLOTS} slots`, prepare: () => untilQuiet(pool), run: few },
  full: {
    name: `${what} over ${slots.toLocaleString('en')} slots`,
    isOurs: true,
    prepare: () => untilQuiet(pool),
    run: full,
  },
})
