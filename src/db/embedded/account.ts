import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { unlessGone } from '../../errors/system-codes.ts'
import { EmbeddedPostgresError } from './errors.ts'

/** Who the database runs as. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** By convention the overflow user, where no `nobody` is listed. */
const OVERFLOW_ID = 65_534

/**
 * Undefined: as ourselves. Under root: as the owner of the data that is already there, so that one
 * folder can be started by its user and by root in turn; else as `nobody`.
 */
export async function databaseAccount(dataFolder: string): Promise<Account | undefined> {
  const self = process.geteuid?.()
  if (self === undefined) return undefined
  const owner = await ownerOf(dataFolder)
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return undefined
    throw new EmbeddedPostgresError(
      `The database in ${dataFolder} belongs to user id ${owner.uid} and cannot be started as user id ${self}. ` +
        'Start the service as the user who made it (or as root), or choose another DATA_DIR.',
    )
  }
  return owner === undefined || owner.uid === 0 ? nobody() : owner
}

/** Whether the account may reach a path: every folder above it must let it pass. */
export async function canReach(account: Account | undefined, path: string): Promise<boolean> {
  if (account === undefined) return true
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const pass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & pass) === 0) return false
    if (dirname(folder) === folder) return true
  }
}

async function ownerOf(path: string): Promise<Account | undefined> {
  const found = await unlessGone(stat(path))
  return found === null ? undefined : { uid: found.uid, gid: found.gid }
}

async function nobody(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = accounts
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':')
  return { uid: Number(fields?.[2] ?? OVERFLOW_ID), gid: Number(fields?.[3] ?? OVERFLOW_ID) }
}
