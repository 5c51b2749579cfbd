import type { ClientBase } from 'pg'

import type { Lease } from '../loads/leases.ts'

/** What a source has of its own in the transaction that changes what its table shows. */
export const touchSource =
  ({ tableId }: Lease) =>
  async (client: ClientBase): Promise<void> => {
    await client.query('update sources set updated_at = clock_timestamp() where table_id = $1', [
      tableId,
    ])
  }
