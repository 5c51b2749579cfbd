import type { Pool } from 'pg'

import { sweepStaging } from '../../../pipelines/index.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Leases } from './leases.ts'

const SWEEP_EVERY_MS = 10_000

export interface SweepParts {
  readonly pool: Pool
  readonly leases: Leases
  readonly uploads: Uploads
  readonly logger: Logger
}

/** Clears up behind loads whose process died: once before the service answers, then regularly. */
export async function startLoadSweep(parts: SweepParts): Promise<AsyncDisposable> {
  const { pool, leases, uploads, logger } = parts
  const connect = async () => {
    const client = await pool.connect()
    return { client, release: (broken?: boolean) => client.release(broken) }
  }
  const sweep = async () => {
    try {
      await leases.sweep()
      await sweepStaging(connect)
      await uploads.sweep()
    } catch (error) {
      logger.warn({ err: error }, 'the sweep of loads failed; it is tried again')
    }
  }
  let sweeping: Promise<void> | null = sweep()
  await sweeping
  sweeping = null
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = null
    })
  }, SWEEP_EVERY_MS)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await sweeping
    },
  }
}
