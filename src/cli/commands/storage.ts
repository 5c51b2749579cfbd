import type { Command } from 'commander'

import { openStorage } from '../../adapters.ts'
import { checkStorage, isSound } from '../../domain/storage-check/check-storage.ts'
import type { StopRequest } from '../../stop-request.ts'
import { friendly } from '../friendly.ts'
import { withDatabase } from '../with-database.ts'

export const storage = (program: Command, stop: StopRequest) =>
  program
    .command('storage')
    .description('Compare the object storage with the database')
    .command('check')
    .description('List objects without a row and rows without an object, as JSON; exits 1 if any')
    .option('--repair', 'remove these objects, and documents whose file is gone', false)
    .action(
      friendly(async ({ repair }: { repair: boolean }) => {
        await withDatabase(stop, async ({ config, pool, stopping }) => {
          // No link is made here, so nobody asks where they would lead.
          const { store } = await openStorage(config, () => '')
          try {
            const report = await checkStorage(pool, store, { repair, signal: stopping })
            process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
            const mended = repair && report.emptyBuckets.length === 0
            if (!mended && !isSound(report)) process.exitCode = 1
          } finally {
            await store.close()
          }
        })
      }),
    )
