import type { Knex } from 'knex'

import { LOCKS, lockUntilCommit } from '../../db/locks.ts'

/**
 * Keeps the master key from being changed until the transaction ends. Taken before a key is sealed,
 * so that a rotation finds stored whatever was sealed with the master key before.
 */
export async function holdMasterKey(trx: Knex.Transaction): Promise<void> {
  await trx.raw(lockUntilCommit(LOCKS.masterKey, 'shared'))
}

/** Changes the master key when nothing is between being sealed and being stored. */
export async function changeMasterKey(knex: Knex, change: () => Promise<void>): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(lockUntilCommit(LOCKS.masterKey))
    await change()
  })
}
