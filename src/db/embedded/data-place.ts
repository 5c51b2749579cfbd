import { randomUUID } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { type Account, canReach } from './account.ts'
import { hasCode } from '../../errors/system-codes.ts'
import { EmbeddedPostgresError } from './errors.ts'

/** Where root may put what an unprivileged account has to reach, when the chosen folder is closed. */
export const OPEN_HOME = '/var/lib/administration-service'

const UNFINISHED = 'data.unfinished-'

const SURELY = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const

/** The database's own folder, links resolved; undefined when there is none yet. */
export async function existingData(folder: string): Promise<string | undefined> {
  const path = join(folder, 'data')
  try {
    return await realpath(path)
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw cause
    const target = await readlink(path).catch(() => undefined)
    if (target === undefined) return undefined
    // Never an empty database in the place of one that is perhaps only not mounted.
    throw new EmbeddedPostgresError(
      `The database of ${folder} was kept in ${target}, which is gone. ` +
        `Bring it back, or remove ${path} to begin with an empty one.`,
      { cause },
    )
  }
}

export async function assertReachable(account: Account | undefined, data: string): Promise<void> {
  if (await canReach(account, dirname(data))) return
  throw new EmbeddedPostgresError(
    `The database in ${data} cannot be reached by user id ${account?.uid}, as whom it runs under root: ` +
      'a folder above it is closed to others. Open that folder (chmod o+x) or choose another DATA_DIR.',
  )
}

/**
 * Makes the database's folder with `fill`, under another name until it is whole, so that a process
 * killed half-way leaves nothing that looks like a database. Where the account cannot reach the
 * chosen folder (a checkout in /root) the data goes to an open place, with a link to it.
 */
export async function makeData(
  folder: string,
  account: Account | undefined,
  fill: (unfinished: string) => Promise<void>,
): Promise<string> {
  const inPlace = await canReach(account, folder)
  const home = inPlace ? folder : await openFolder(join(OPEN_HOME, randomUUID()))
  const data = join(home, 'data')
  await sweepUnfinished(home)
  const unfinished = join(home, `${UNFINISHED}${randomUUID()}`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (account !== undefined) await chown(unfinished, account.uid, account.gid)
    await fill(unfinished)
    await rename(unfinished, data)
    if (!inPlace) await symlink(data, join(folder, 'data'))
    return await realpath(data)
  } catch (error) {
    await rm(inPlace ? unfinished : home, SURELY)
    throw error
  }
}

/** Removes the database, wherever it had to be put. */
export async function removeData(folder: string, data: string): Promise<void> {
  const inPlace = dirname(data) === folder
  await rm(inPlace ? data : dirname(data), SURELY)
  await rm(join(folder, 'data'), SURELY)
}

/** What a killed process began; its initdb may still be writing for a moment. */
async function sweepUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(UNFINISHED)) await rm(join(home, name), SURELY)
  }
}

async function openFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    await chmod(OPEN_HOME, 0o755)
    await chmod(path, 0o755)
    return path
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, other users cannot reach the data folder, and ${path} cannot be made instead. ` +
        'Choose a DATA_DIR outside private folders, start the service as another user, or set DATABASE_URL.',
      { cause },
    )
  }
}
