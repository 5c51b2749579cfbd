import type { Knex } from 'knex'

/** Any number will do that no other lock has. */
const MASTER_KEY = 4_190_263_118

/**
 * Keeps the master key from being changed until the transaction ends. Taken before a key is sealed,
 * so that a rotation finds stored whatever was sealed with the master key before.
 */
export async function holdMasterKey(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(?)', [MASTER_KEY])
}

/** Changes the master key when nothing is between being sealed and being stored. */
export async function changeMasterKey(knex: Knex, change: () => Promise<void>): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [MASTER_KEY])
    await change()
  })
}
