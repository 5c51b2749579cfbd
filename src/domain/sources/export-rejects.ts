import type { Pool } from 'pg'

import { exportStream, writeTo } from '../tables/export/export-stream.ts'
import { readRejects } from './read-rejects.ts'
import { rejectsCsvHeader, rejectsCsvLine } from './rejects-csv.ts'
import type { Sources } from './sources.ts'

const ROWS_AT_ONCE = 1000

/** The rejects as a table to mend and send again. */
export function exportRejects(pool: Pool, find: Sources['find']): Sources['exportRejects'] {
  const read = readRejects(pool, find)
  return async (actor, uuid, signal) => {
    const source = await find(actor, uuid)
    const stream = await exportStream(async (out, begun, stop) => {
      begun()
      await writeTo(out, rejectsCsvHeader(source), stop)
      for (let page = 1; ; page++) {
        const { items } = await read(actor, uuid, { page, limit: ROWS_AT_ONCE })
        const lines = items.map((reject) => rejectsCsvLine(source, reject))
        if (lines.length > 0) await writeTo(out, lines.join(''), stop)
        if (items.length < ROWS_AT_ONCE) return
      }
    }, signal)
    return {
      stream,
      contentType: 'text/csv; charset=utf-8',
      filename: `${source.name}-rejects.csv`,
    }
  }
}
