import type { Command } from 'commander'

import { addKeptEncryptionKey, openSecretBox } from '../../adapters.ts'
import { createKnex } from '../../db/knex.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { rotateConnectionKeys, KeyRotationError } from '../../domain/connections/rotate-keys.ts'
import type { StopRequest } from '../../stop-request.ts'
import { CliError } from '../cli-error.ts'
import { friendly } from '../friendly.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

export const keys = (program: Command, stop: StopRequest) => {
  const group = program.command('keys').description('Master keys of the stored API keys')

  group
    .command('rotate')
    .description('Seal every stored API key anew with the current master key')
    .addHelpText(
      'after',
      '\nThe current key is the first of ENCRYPTION_KEYS: put a new one in front, restart the\n' +
        'service, rotate, then take the old one out. Where the service made its own key, a new one\n' +
        'is made and put in front; the service need not be restarted.',
    )
    .action(friendly(() => withDatabase(stop, rotate)))
}

async function rotate({ config, url }: CliDatabase): Promise<void> {
  const knex = createKnex(url, { max: 2 })
  try {
    await knex.transaction(async (lock) => {
      await lock.raw(lockUntilCommit(LOCKS.keyRotation))
      const makeKey =
        config.encryptionKeys === null ? () => addKeptEncryptionKey(config.dataDir) : null
      const done = await rotateConnectionKeys(knex, openSecretBox(config), makeKey)
      process.stdout.write(
        `Sealed ${done.rotated} API keys anew with the master key '${done.keyId}'; ` +
          `${done.current} had been already\n`,
      )
    })
  } catch (error) {
    if (!(error instanceof KeyRotationError)) throw error
    throw new CliError(error.message, { cause: error })
  } finally {
    await knex.destroy()
  }
}
