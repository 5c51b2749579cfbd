import type { Knex } from 'knex'

import { LOCKS, lockUntilCommit } from '../../db/locks.ts'

/**
 * Prevents a change of the master key until the transaction ends. Must be taken before a key is
 * encrypted, so that a rotation finds everything stored that was encrypted with the previous master
 * key.
 */
export async function holdMasterKey(trx: Knex.Transaction): Promise<void> {
  await trx.raw(lockUntilCommit(LOCKS.masterKey, 'shared'))
}

/** Changes the master key while no key is between being encrypted and being stored. */
export async function changeMasterKey(knex: Knex, change: () => Promise<void>): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(lockUntilCommit(LOCKS.masterKey))
    await change()
  })
}
