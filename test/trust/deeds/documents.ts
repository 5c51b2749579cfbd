import { randomUUID } from 'node:crypto'

import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { Undertaking } from './deed.ts'

const ROWS = 150_000

export const uploadDocument: Undertaking = {
  name: 'upload of a document',
  succeeds: [201],
  repeated: [201],
  async prepare(world) {
    const name = `${randomUUID()}.csv`
    const content = csvOf('document', ROWS)
    const { personalClient } = world.people
    return {
      run: (client) =>
        client.as(personalClient).request('POST', '/documents', formOf(name, content)),
      async state() {
        const { rows } = await world.pool.query<{ size: string }>(
          'select size_bytes::text as size from documents where original_name = $1',
          [name],
        )
        for (const { size } of rows) {
          if (Number(size) !== content.length) throw new Error(`A document of ${size} bytes`)
        }
        return rows.length > 0 ? 'done' : 'undone'
      },
    }
  },
}
