import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Account } from './account.ts'
import { addressUrl, freePort, readAddress, writeAddress } from './address.ts'
import type { Binaries } from './binaries.ts'
import { openToRoles } from './create-cluster.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { clearLeftovers } from './leftover-postmaster.ts'
import type { EmbeddedPostgresLogger } from './logger.ts'
import { type Postmaster, PostmasterStartError, startPostmaster } from './postmaster.ts'
import { serverSettings } from './settings.ts'

interface ServerPlace {
  readonly folder: string
  readonly data: string
  readonly account: Account | undefined
  readonly binaries: Binaries
  readonly ephemeral: boolean
  readonly logger: EmbeddedPostgresLogger
  readonly signal?: AbortSignal | undefined
}

export interface Server extends Postmaster {
  readonly url: string
}

/** Failures that pass by themselves: an orphan's last backends, a port taken a moment ago. */
const PASSING = /pre-existing shared memory block|could not bind|could not create any TCP\/IP/
const RETRY_FOR_MS = 10_000
const RETRY_PAUSE_MS = 100
const LOG_KEPT_BYTES = 5_000_000

/** Starts the server on the cluster, whatever an earlier one left behind. */
export async function launchServer(place: ServerPlace): Promise<Server> {
  const { folder, data, logger, signal } = place
  const startedAt = performance.now()
  const cleared = await clearLeftovers(data)
  if (cleared !== 'none') logger.warn({ cleared }, 'the database was not stopped in order before')
  await openToRoles(place)
  const logFile = join(folder, 'postgres.log')
  await keepLogShort(logFile)
  for (;;) {
    try {
      const server = await launchOnce(place, logFile)
      const tookMs = Math.round(performance.now() - startedAt)
      logger.info({ folder, tookMs }, 'embedded PostgreSQL is ready')
      return server
    } catch (error) {
      const passing = error instanceof PostmasterStartError && PASSING.test(error.log)
      if (!passing || performance.now() - startedAt > RETRY_FOR_MS) throw error
      await delay(RETRY_PAUSE_MS, undefined, { signal })
    }
  }
}

async function launchOnce(place: ServerPlace, logFile: string): Promise<Server> {
  const { folder, data, account, binaries, ephemeral, signal } = place
  const remembered = await readAddress(folder)
  if (remembered === undefined) {
    throw new EmbeddedPostgresError(
      `${join(folder, 'connection-url')} is gone, and with it the password of the database beside it.`,
    )
  }
  const address = { ...remembered, port: await freePort(remembered.port) }
  if (address.port !== remembered.port) await writeAddress(folder, address)
  const postmaster = await startPostmaster({
    program: binaries.postgres,
    account,
    data,
    logFile,
    settings: { ...serverSettings(ephemeral), port: String(address.port) },
    signal,
  })
  return { ...postmaster, url: addressUrl(address) }
}

async function keepLogShort(logFile: string): Promise<void> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }))
  if (size > LOG_KEPT_BYTES) await rename(logFile, `${logFile}.old`)
}
