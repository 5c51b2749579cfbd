import type { ClientBase, Pool } from 'pg'

import { exportStream, writeTo } from '../tables/export/export-stream.ts'
import { inSnapshot } from './read-data.ts'
import { rejectBatches } from './read-rejects.ts'
import { rejectsCsvHeader, rejectsCsvLine } from './rejects-csv.ts'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'

/** The rejects as a table to mend and send again: one state of them, streamed. */
export function exportRejects(pool: Pool, find: Sources['find']): Sources['exportRejects'] {
  return async (actor, uuid, signal) => {
    const found = await find(actor, uuid)
    const stream = await exportStream(
      (out, begun, stop) =>
        inSnapshot(
          pool,
          found,
          async (client, { columns }) => {
            begun()
            const source = { ...found, columns, ...(await howItWasRead(client, found)) }
            await writeTo(out, rejectsCsvHeader(source), stop)
            for await (const rejects of rejectBatches(client, source)) {
              const lines = rejects.map((reject) => rejectsCsvLine(source, reject))
              await writeTo(out, lines.join(''), stop)
            }
          },
          'close',
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

/** Belongs to the rows that the snapshot shows: it tells how they fall into fields. */
async function howItWasRead(
  client: ClientBase,
  { id }: Source,
): Promise<Pick<Source, 'sourceType' | 'options' | 'report'>> {
  const { rows } = await client.query<Pick<Source, 'sourceType' | 'options' | 'report'>>(
    'select source_type as "sourceType", options, report from sources where id = $1',
    [id],
  )
  return rows[0]!
}
