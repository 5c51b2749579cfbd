import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Pool } from 'pg'

/** What a file of tests took, from the end of the one before it in its lane. */
interface Cost {
  readonly file: string
  readonly wallSeconds: number
  /** Of every processor, of the lane and all that it started, and of its database server. */
  readonly processorSeconds: number
}

/** Names the file in which lanes write what theirs took. */
const LEDGER = 'TEST_COSTS'
const SHOWN = 15
/** Linux tells times in these, whatever it counts in. */
const TICKS_PER_SECOND = 100

/** Before the first lane; only where the kernel tells what processes spend. */
export function openCosts(): void {
  if (process.platform !== 'linux') return
  const ledger = join(tmpdir(), `test-costs-${process.pid}.ndjson`)
  rmSync(ledger, { force: true })
  process.env[LEDGER] = ledger
}

let before = { wallSeconds: 0, processorSeconds: 0 }

/** In a lane, after the last test of a file. */
export async function noteCost(file: string, server: Pool | null): Promise<void> {
  const ledger = process.env[LEDGER]
  if (ledger === undefined) return
  const now = {
    wallSeconds: process.uptime(),
    processorSeconds: spentBy(process.pid) + (server ? spentBy(await postmasterOf(server)) : 0),
  }
  const cost: Cost = {
    file,
    wallSeconds: now.wallSeconds - before.wallSeconds,
    processorSeconds: now.processorSeconds - before.processorSeconds,
  }
  before = now
  appendFileSync(ledger, `${JSON.stringify(cost)}\n`)
}

/** After the last lane: what the slowest took, and how soon so many processors could have done it all. */
export function describeCosts(processors: number): string {
  const ledger = process.env[LEDGER]
  if (ledger === undefined || !existsSync(ledger)) return ''
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n')
  rmSync(ledger)
  const costs = lines.map((line) => JSON.parse(line) as Cost)
  const slowest = costs.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, SHOWN)
  const spent = costs.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0)
  return [
    '  The slowest files, in seconds of the clock and of processors:',
    ...slowest.map(
      ({ file, wallSeconds, processorSeconds }) =>
        `  ${wallSeconds.toFixed(1).padStart(6)} ${processorSeconds.toFixed(1).padStart(6)}  ${file}`,
    ),
    `  All spent ${spent.toFixed(0)} s of processors: ${processors} of them need ` +
      `${(spent / processors / 60).toFixed(1)} minutes at least.\n`,
  ].join('\n')
}

/** By a process, by its children, and by those of theirs that have ended. */
function spentBy(pid: number | null): number {
  if (pid === null) return 0
  const children = readdirSync('/proc').flatMap((name) => {
    const child = /^\d+$/.test(name) ? statusOf(Number(name)) : null
    return child?.parent === pid ? [child] : []
  })
  return (
    [statusOf(pid), ...children].reduce((sum, each) => sum + (each?.ticks ?? 0), 0) /
    TICKS_PER_SECOND
  )
}

/** Null: it is not there, or no longer. */
function statusOf(pid: number): { name: string; parent: number; ticks: number } | null {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(
      readFileSync(`/proc/${pid}/stat`, 'utf8'),
    )!
    const fields = rest.split(' ').map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    return { name, parent: fields[1]!, ticks }
  } catch {
    return null
  }
}

/** Null where it runs somewhere else. */
async function postmasterOf(server: Pool): Promise<number | null> {
  const { rows } = await server.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = statusOf(rows[0]!.pid)
  return backend?.name.startsWith('postgres') ? backend.parent : null
}
