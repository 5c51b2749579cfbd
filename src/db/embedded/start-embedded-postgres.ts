import { chmod, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { type Account, canReach, databaseAccount } from './account.ts'
import { addressUrl, newPassword, readAddress, writeAddress } from './address.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { createCluster } from './create-cluster.ts'
import { assertReachable, existingData, makeData, OPEN_HOME, removeData } from './data-place.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { claimFolder, folderOwner } from './folder-claim.ts'
import { type EmbeddedPostgresLogger, silentLogger } from './logger.ts'
import { launchServer } from './launch-server.ts'
import { superviseServer } from './supervise-server.ts'

export interface EmbeddedPostgresOptions {
  /** Everything of the database lives in here; made when absent. */
  readonly folder: string
  readonly logger?: EmbeddedPostgresLogger
  /** Faster, and lost when the machine stops: for tests. */
  readonly ephemeral?: boolean
  /** Ends a start that is under way; a running database is ended by `stop`. */
  readonly signal?: AbortSignal
}

export interface EmbeddedPostgres {
  /** The same at every start, unless its port was taken meanwhile. */
  readonly url: string
  stop(): Promise<void>
}

/** A PostgreSQL of our own in a folder: made at the first start, found again at every later one. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { logger = silentLogger, ephemeral = false, signal } = options
  const folder = await ownFolder(options.folder)
  const release = await claimFolder(folder)
  try {
    const found = await existingData(folder)
    const account = await databaseAccount(found ?? join(folder, 'data'))
    const copyHome = (await canReach(account, folder)) ? folder : OPEN_HOME
    const binaries = await prepareBinaries(account, copyHome)
    const data = found ?? (await newCluster({ folder, account, binaries, ephemeral, signal }))
    await assertReachable(account, data)
    const place = { folder, data, account, binaries, ephemeral, logger }
    const first = await launchServer({ ...place, signal })
    const supervised = superviseServer(
      first,
      (stop) => launchServer({ ...place, signal: stop }),
      logger,
    )
    return {
      url: first.url,
      stop: async () => {
        try {
          await supervised.stop()
          if (ephemeral) await removeData(folder, data)
        } finally {
          await release()
        }
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The address of the database that another process of ours runs in this folder, if one does. */
export async function runningPostgresUrl(path: string): Promise<string | undefined> {
  const folder = await realpath(path).catch(() => undefined)
  if (folder === undefined || (await folderOwner(folder)) === undefined) return undefined
  const address = await readAddress(folder)
  // No port yet: its first start is under way.
  return address === undefined || address.port === 0 ? undefined : addressUrl(address)
}

interface NewCluster {
  readonly folder: string
  readonly account: Account | undefined
  readonly binaries: Binaries
  readonly ephemeral: boolean
  readonly signal: AbortSignal | undefined
}

async function newCluster({ folder, ...rest }: NewCluster): Promise<string> {
  const password = newPassword()
  const data = await makeData(folder, rest.account, async (unfinished) => {
    await createCluster({ ...rest, data: unfinished, password })
    // Known before the database is whole: one without its password would be lost.
    await writeAddress(folder, { port: 0, password })
  })
  return data
}

async function ownFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    const folder = await realpath(path)
    // The database's account must pass through to its own folder inside.
    if (process.geteuid?.() === 0) await chmod(folder, (await stat(folder)).mode | 0o011)
    return folder
  } catch (cause) {
    throw new EmbeddedPostgresError(`The data folder ${path} cannot be made.`, { cause })
  }
}
