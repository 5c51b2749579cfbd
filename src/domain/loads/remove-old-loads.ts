import type { Pool } from 'pg'

import { deleteInBatches } from '../../db/delete-in-batches.ts'

/**
 * Removes the records of loads of which nothing is left but their record, so long after they ended. One that others
 * were published upon stays: the order of states is read from it.
 */
export const removeOldLoads = (pool: Pool, keptMs: number): Promise<number> =>
  deleteInBatches(pool, {
    table: 'loads',
    key: 'id',
    where: `state in ('gone', 'failed', 'cancelled')
      and finished_at < now() - make_interval(secs => $1::float8 / 1000)
      and partition_id is null and taken_id is null and object_path is null
      and not exists (select from loads later
                      where later.table_id = loads.table_id and later.id <> loads.id
                        and loads.id in (later.root_id, later.parent_id, later.shown_load_id,
                                         later.base_id, later.position_id))`,
    oldestBy: 'finished_at',
    values: [keptMs],
  })
