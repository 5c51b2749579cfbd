import { addKeptEncryptionKey, openSecretBox } from '../../start/adapters.ts'
import { createKnex } from '../../db/knex.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { refuseWrongKeys } from '../../domain/connections/key-checks.ts'
import { rotateConnectionKeys, KeyRotationError } from '../../domain/connections/rotate-keys.ts'
import { renewSigningKey } from '../../domain/collections/receipts.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { CliError } from '../cli-error.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

export const run = (stop: StopRequest): Promise<void> => withDatabase(stop, rotate)

async function rotate({ config, url, pool }: CliDatabase): Promise<void> {
  const secretBox = openSecretBox(config)
  await refuseWrongKeys(pool, await secretBox())
  const knex = createKnex(url, { max: 2 })
  try {
    await knex.transaction(async (lock) => {
      await lock.raw(lockUntilCommit(LOCKS.keyRotation))
      const makeKey =
        config.encryptionKeys === null ? () => addKeptEncryptionKey(config.dataDir) : null
      const done = await rotateConnectionKeys(knex, secretBox, makeKey)
      await recordDeed(pool, deedOfCommand('keys.rotate'))
      process.stdout.write(
        `Re-encrypted ${done.rotated} API keys with the master key '${done.keyId}'; ` +
          `${done.current} were already encrypted with it\n`,
      )
      if (await renewSigningKey(pool, secretBox)) {
        process.stdout.write(
          'Receipts are signed with a new key from now on; earlier ones are verified as before\n',
        )
      }
    })
    // A key that was made just now is put on record.
    await refuseWrongKeys(pool, await secretBox())
  } catch (error) {
    if (!(error instanceof KeyRotationError)) throw error
    throw new CliError(error.message, { cause: error })
  } finally {
    await knex.destroy()
  }
}
