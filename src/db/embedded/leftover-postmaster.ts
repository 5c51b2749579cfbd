import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import { EmbeddedPostgresError, hasCode } from './errors.ts'
import { processStart } from './process-identity.ts'

const run = promisify(execFile)

/** Harder with each step: clients are cut off and all is written; at once; without asking. */
const STOP_STEPS: readonly { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 4_000 },
  { signal: 'SIGQUIT', patienceMs: 3_000 },
  { signal: 'SIGKILL', patienceMs: 2_000 },
]

/**
 * A killed service leaves its database running. It is stopped, not taken over: the new one is our
 * child, with the settings of this version, and starts in milliseconds. A pid file whose process is
 * gone, or whose number now belongs to something else, is removed: PostgreSQL would refuse to start.
 */
export async function clearLeftovers(data: string): Promise<'none' | 'stale' | 'stopped'> {
  const pid = await recordedPid(data)
  if (pid === undefined) return 'none'
  const orphan = await isPostmasterOf(pid, data)
  if (orphan) await stopProcess(pid, data)
  await rm(join(data, 'postmaster.pid'), { force: true })
  return orphan ? 'stopped' : 'stale'
}

async function recordedPid(data: string): Promise<number | undefined> {
  try {
    const [line] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    // Negative for a single-user server.
    return Math.abs(Number(line))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (!(pid > 1) || pid === process.pid || (await processStart(pid)) === undefined) return false
  if (process.platform === 'linux') return worksIn(pid, data)
  if (process.platform === 'win32') return true
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
  return stdout.includes('postgres') && stdout.includes(data)
}

/** By the folder it stands in, which holds even after the folder was moved. */
async function worksIn(pid: number, data: string): Promise<boolean> {
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(data)])
    const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    return basename(program) === 'postgres' && there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    // Another user's process, or one that ended while we looked: not our database.
    if (hasCode(error, 'EACCES', 'EPERM', 'ENOENT', 'ESRCH')) return false
    throw error
  }
}

async function stopProcess(pid: number, data: string): Promise<void> {
  const start = await processStart(pid)
  const lives = async () => start !== undefined && (await processStart(pid)) === start
  for (const { signal, patienceMs } of STOP_STEPS) {
    if (!(await lives())) return
    process.kill(pid, signal)
    const deadline = performance.now() + patienceMs
    while (performance.now() < deadline && (await lives())) await delay(10)
  }
  if (await lives()) {
    throw new EmbeddedPostgresError(
      `An earlier PostgreSQL (process ${pid}) still runs in ${data} and does not stop.`,
    )
  }
}
