import type { ClientBase, Pool } from 'pg'

import type { LoadReport } from '../../../pipelines/index.ts'
import { exportStream, writeTo } from '../tables/export/export-stream.ts'
import { inSnapshot } from './read-data.ts'
import { rejectBatches } from './read-rejects.ts'
import { layoutOf, type RejectLayout, rejectsCsvHeader, rejectsCsvLine } from './rejects-csv.ts'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'

/** The rejects as a table to mend and send again: one state of them, streamed. */
export function exportRejects(pool: Pool, find: Sources['find']): Sources['exportRejects'] {
  return async (actor, uuid, tell, signal) => {
    const found = await find(actor, uuid)
    const stream = await exportStream(
      (out, begun, stop) =>
        inSnapshot(
          pool,
          found,
          async (client, state) => {
            begun()
            const layouts = await rejectLayouts(client, found)
            await writeTo(out, rejectsCsvHeader(state), stop)
            for await (const rejects of rejectBatches(client, found, state)) {
              const lines = rejects.map((reject) =>
                rejectsCsvLine(state, layouts.get(reject.load)!, reject, tell),
              )
              await writeTo(out, lines.join(''), stop)
            }
          },
          { afterFailure: 'close' },
        ),
      signal,
    )
    return {
      stream,
      contentType: 'text/csv; charset=utf-8',
      filename: `${found.name}-rejects.csv`,
    }
  }
}

/** How each load of the source found its rows laid out; in the snapshot that shows its rejects. */
async function rejectLayouts(
  client: ClientBase,
  { tableId }: Source,
): Promise<ReadonlyMap<number, RejectLayout>> {
  const { rows } = await client.query<{ id: number; report: LoadReport }>(
    `select id, report from loads
     where table_id = $1 and rows_rejected > 0 and state = 'current'`,
    [tableId],
  )
  return new Map(rows.map((load) => [load.id, layoutOf(load.report)]))
}
