import type { Pool } from 'pg'

import { deleteInBatches } from '../db/delete-in-batches.ts'

/** Looked up by an index, one row at a time: a join would read all loads for each batch. */
const isNone = (which: string): string => `(select 1 from ${which} limit 1) is null`

/**
 * Removes the records of loads of which only the record is left, a given time after they ended. A
 * load that others were published on top of stays while one of those can be shown, because the
 * order of states is read from it.
 */
export const removeOldLoads = (pool: Pool, keptMs: number): Promise<number> =>
  deleteInBatches(pool, {
    table: 'loads',
    where: `state in ('gone', 'failed', 'cancelled')
      and finished_at < now() - make_interval(secs => $1::float8 / 1000)
      and partition_id is null and taken_id is null and object_path is null
      and ${isNone('loads rollback where rollback.shown_load_id = loads.id')}
      and (${isNone(`loads live where live.root_id = loads.root_id and live.state in ('current', 'kept')`)}
        or ${isNone('loads later where later.parent_id = loads.id')}
          and ${isNone(`loads root where root.id = loads.root_id
                 and loads.id in (root.id, root.base_id, root.position_id)`)})`,
    oldestBy: 'finished_at',
    values: [keptMs],
  })
