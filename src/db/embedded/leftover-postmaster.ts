import { execFile } from 'node:child_process'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import { hasCode, unlessGone } from '../../errors/system-codes.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { processStart } from './process-identity.ts'

const run = promisify(execFile)

interface StopStep {
  readonly signal: NodeJS.Signals
  readonly patienceMs: number
}

/** Harder with each step: clients are cut off and all is written; at once; without asking. */
const POSTMASTER_STEPS: readonly StopStep[] = [
  { signal: 'SIGINT', patienceMs: 4_000 },
  { signal: 'SIGQUIT', patienceMs: 3_000 },
  { signal: 'SIGKILL', patienceMs: 2_000 },
]

/** A backend without its postmaster has nobody left to finish for. */
const BACKEND_STEPS: readonly StopStep[] = [
  { signal: 'SIGQUIT', patienceMs: 1_000 },
  { signal: 'SIGKILL', patienceMs: 2_000 },
]

/**
 * A killed service leaves its database running. It is stopped, not taken over: the new one is our
 * child, with the settings of this version, and starts in milliseconds. A pid file whose process is
 * gone, or whose number now belongs to something else, is removed: PostgreSQL would refuse to start.
 * So would it while a backend outlives its postmaster, which a long statement does until its end.
 */
export async function clearLeftovers(data: string): Promise<'none' | 'stale' | 'stopped'> {
  const pid = await recordedPid(data)
  if (pid === undefined) return 'none'
  const orphan = await isPostmasterOf(pid, data)
  if (orphan) await stopProcess(pid, data, POSTMASTER_STEPS)
  for (const backend of await processesIn(data)) await stopProcess(backend, data, BACKEND_STEPS)
  await rm(join(data, 'postmaster.pid'), { force: true })
  return orphan ? 'stopped' : 'stale'
}

async function recordedPid(data: string): Promise<number | undefined> {
  const text = await unlessGone(readFile(join(data, 'postmaster.pid'), 'utf8'))
  if (text === null) return undefined
  const [line] = text.split('\n')
  // Negative for a single-user server.
  return Math.abs(Number(line))
}

async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (!(pid > 1) || pid === process.pid || (await processStart(pid)) === undefined) return false
  if (process.platform === 'linux') return worksIn(pid, data)
  if (process.platform === 'win32') return true
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
  return stdout.includes('postgres') && stdout.includes(data)
}

/** Every PostgreSQL process of this database; on systems without /proc they are waited for. */
async function processesIn(data: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await worksIn(Number(name), data))) found.push(Number(name))
  }
  return found
}

/** By the folder it stands in, which holds even after the folder was moved. */
async function worksIn(pid: number, data: string): Promise<boolean> {
  try {
    const [title = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    // A postmaster shows its path, a backend "postgres: role database address activity".
    if (!title.startsWith('postgres: ') && basename(title) !== 'postgres') return false
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(data)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    // Another user's process, or one that ended while we looked: not our database.
    if (hasCode(error, 'EACCES', 'EPERM', 'ENOENT', 'ESRCH')) return false
    throw error
  }
}

async function stopProcess(pid: number, data: string, steps: readonly StopStep[]): Promise<void> {
  const start = await processStart(pid)
  const lives = async () => start !== undefined && (await processStart(pid)) === start
  for (const { signal, patienceMs } of steps) {
    if (!(await lives())) return
    send(pid, signal)
    const deadline = performance.now() + patienceMs
    while (performance.now() < deadline && (await lives())) await delay(10)
  }
  if (await lives()) {
    throw new EmbeddedPostgresError(
      `An earlier PostgreSQL (process ${pid}) still runs in ${data} and does not stop.`,
    )
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended in this very moment.
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
