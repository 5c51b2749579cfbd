import { openStorage } from '../../start/adapters.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { checkStorage, isSound } from '../../domain/storage-check/check-storage.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest, { repair }: { repair: boolean }): Promise<void> {
  await withDatabase(stop, async ({ config, pool, stopping }) => {
    // No download link is created here, so the base of its address does not matter.
    const { store, kind } = await openStorage(config, () => '')
    const { publicUrl } = config.server
    const consoleOrigin = kind === 's3' && publicUrl !== null ? new URL(publicUrl).origin : null
    try {
      if (repair) await recordDeed(pool, deedOfCommand('storage.repair'))
      const report = await checkStorage(pool, store, { repair, consoleOrigin, signal: stopping })
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
      const mended =
        repair && report.emptyBuckets.length === 0 && report.browserUploads !== 'refused'
      if (!mended && !isSound(report)) process.exitCode = 1
    } finally {
      await store.close()
    }
  })
}
