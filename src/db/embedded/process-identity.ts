import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

import { hasCode } from '../../errors/system-codes.ts'

const run = promisify(execFile)

/** The process lives, but this system does not tell when it started. */
export const UNKNOWN_START = 'unknown'

/**
 * Tells one life of a pid from the next: pids are used again, the moment of their start is not.
 * Undefined when no such process lives. The text is safe in a file name.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  if (process.platform === 'linux') return linuxStart(pid)
  if (process.platform === 'win32') return UNKNOWN_START
  return bsdStart(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not allowed to signal it: it lives, under another user.
    return hasCode(error, 'EPERM')
  }
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readOrNothing(`/proc/${pid}/stat`)
  if (stat === undefined) return isAlive(pid) ? UNKNOWN_START : undefined
  // The second field is the command in parentheses and may hold anything, parentheses included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (state === 'Z' || state === 'X') return undefined
  // Ticks count from boot, so they mean nothing without knowing which boot.
  const boot = (await readOrNothing('/proc/sys/kernel/random/boot_id')) ?? ''
  return `${boot.slice(0, 8)}.${fields[19] ?? ''}`
}

async function bsdStart(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: process.env['PATH'] ?? '/bin:/usr/bin' },
    })
    return stdout.trim().replaceAll(/[^0-9a-z]+/gi, '.')
  } catch {
    return isAlive(pid) ? UNKNOWN_START : undefined
  }
}

async function readOrNothing(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
