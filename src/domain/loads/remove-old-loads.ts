import type { Pool } from 'pg'

import { deleteInBatches } from '../../db/delete-in-batches.ts'

/**
 * Removes the records of loads of which nothing is left but their record, so long after they ended. One that others
 * were published upon stays for as long as any of them can be shown: the order of states is read from it.
 */
export const removeOldLoads = (pool: Pool, keptMs: number): Promise<number> =>
  deleteInBatches(pool, {
    table: 'loads',
    key: 'id',
    where: `state in ('gone', 'failed', 'cancelled')
      and finished_at < now() - make_interval(secs => $1::float8 / 1000)
      and partition_id is null and taken_id is null and object_path is null
      and not exists (select from loads rollback where rollback.shown_load_id = loads.id)
      and (not exists (select from loads live
                       where live.root_id = loads.root_id and live.state in ('current', 'kept'))
        or not exists (select from loads later where later.parent_id = loads.id)
          and not exists (select from loads root
                          where root.id = loads.root_id
                            and loads.id in (root.id, root.base_id, root.position_id)))`,
    oldestBy: 'finished_at',
    values: [keptMs],
  })
