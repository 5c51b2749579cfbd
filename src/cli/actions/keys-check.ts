import { checkKeys } from '../../domain/connections/key-checks.ts'
import { openSecretBox } from '../../start/adapters.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { EXIT } from '../exit-codes.ts'
import { withDatabase } from '../with-database.ts'

const SAID = {
  right: 'the key that this database knows',
  new: 'a key that this database has not been used with yet',
  wrong: 'NOT the key that this database has been used with under that id',
  missing: 'NOT configured',
} as const

export const run = (stop: StopRequest): Promise<void> =>
  withDatabase(stop, async ({ config, pool }) => {
    const box = await openSecretBox(config)()
    const keys = await checkKeys(pool, box)
    for (const { keyId, state, sealed, unreadable } of keys) {
      const current = keyId === box.currentKeyId ? ', current' : ''
      const lost = unreadable > 0 ? `, of which ${unreadable} cannot be decrypted` : ''
      process.stdout.write(
        `${keyId}: ${SAID[state]}${current}; ${sealed} stored keys are encrypted with it${lost}\n`,
      )
    }
    const isFlaw = ({ state, unreadable }: (typeof keys)[number]) =>
      state === 'wrong' || state === 'missing' || unreadable > 0
    if (keys.some(isFlaw)) {
      process.exitCode = EXIT.fault
    }
  })
