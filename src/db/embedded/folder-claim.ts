import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { hasCode } from '../../errors/system-codes.ts'
import { EmbeddedPostgresError, FolderBusyError } from './errors.ts'
import { processStart, UNKNOWN_START } from './process-identity.ts'

const CLAIM = /^owner-(?<pid>\d+)-(?<start>.+)$/
const ATTEMPTS = 4
const LONGEST_PAUSE_MS = 150

/**
 * One owner per folder, held by an empty file whose name says who: pid and start of the process.
 * Everybody writes their claim first and looks at the others' afterwards, so of two at the same
 * instant at least one sees the other. A claim names one life of one process, which makes it safe
 * for anyone to remove a dead one, and nothing is ever read half-written.
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const start = await processStart(process.pid)
  const mine = `owner-${process.pid}-${start ?? UNKNOWN_START}`
  const path = join(folder, mine)
  for (let attempt = 1; ; attempt += 1) {
    await writeClaim(path, folder)
    const other = await livingClaim(folder, mine)
    if (other === undefined) return () => rm(path, { force: true })
    await rm(path, { force: true })
    if (attempt === ATTEMPTS) throw new FolderBusyError(folder, other)
    // Two that saw each other both step back; unequal pauses let one of them win.
    await delay(20 + Math.random() * LONGEST_PAUSE_MS)
  }
}

/** The process that owns the folder now, if one does. */
export function folderOwner(folder: string): Promise<number | undefined> {
  return livingClaim(folder)
}

async function writeClaim(path: string, folder: string): Promise<void> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o644 })
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) throw new FolderBusyError(folder, process.pid)
    throw new EmbeddedPostgresError(`The data folder ${folder} cannot be written to.`, { cause })
  }
}

async function livingClaim(folder: string, except?: string): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    const claim = CLAIM.exec(name)?.groups
    if (claim === undefined || name === except) continue
    const pid = Number(claim['pid'])
    const start = await processStart(pid)
    const same = start === claim['start'] || start === UNKNOWN_START
    if (start !== undefined && same) return pid
    if (except !== undefined) await rm(join(folder, name), { force: true })
  }
  return undefined
}
