import type { ClientBase } from 'pg'

import { pageTooLarge, PageTooLongError, readBounded } from '../../stack/read/bounded-rows.ts'
import type { TableKey } from '../../stack/table/partitions.ts'
import { shownRejects } from '../../stack/fill/rejects.ts'
import type { TableState } from '../../stack/read/snapshot.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Source } from './source.ts'
import type { Reads } from './sources-parts.ts'
import type { Reject, Finders } from './sources.ts'
import type { Actor } from '../actor.ts'
import type { Page, PageRequest } from '../../resources/page.ts'

/** A small number, since a row may be long and is processed in one go. */
const REJECTS_AT_ONCE = 100

/** Rows that loads skipped, by load and then in the order of their source. */
export function readRejects(reads: Reads, find: Finders['find']) {
  return async (
    actor: Actor,
    uuid: string,
    { page, limit }: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<Reject>> => {
    const source = await find(actor, uuid)
    if (source.rejectedCount === 0) return { items: [], total: 0 }
    return readInTurn(reads, { actor, source, signal }, async (client, { rejectedCount }) => {
      if (rejectedCount === 0) return { items: [], total: 0 }
      const offset = (page - 1) * limit
      const select = `select ${AS_JSON} from (${selectRejects(keyOf(source))}
                      limit ${limit} offset ${offset}) rejects`
      const written = await readBounded(client, select, {
        write: ([reject]) => [reject!],
        besidesBytes: ENVELOPE_BYTES,
        signal,
      }).catch((error: unknown) => {
        throw error instanceof PageTooLongError ? pageTooLarge(error, offset) : error
      })
      const items = written.map((reject) => JSON.parse(reject) as Reject)
      return { items, total: rejectedCount }
    })
  }
}

const ENVELOPE_BYTES = 4096
const AS_JSON = 'row_to_json(rejects)::text'

/** A reject and the load that skipped it. */
interface LoadedReject extends Reject {
  readonly load: number
}

/** All rejects, a few at a time, in the client's current transaction. */
export async function* rejectBatches(
  client: ClientBase,
  source: Source,
  { rejectedCount }: TableState,
): AsyncGenerator<LoadedReject[]> {
  if (rejectedCount === 0) return
  await client.query(`declare rejects no scroll cursor for ${selectRejects(keyOf(source))}`)
  for (;;) {
    const { rows } = await client.query<LoadedReject>(`fetch ${REJECTS_AT_ONCE} from rejects`)
    if (rows.length === 0) return
    yield rows
  }
}

export const keyOf = ({ tableId, enterpriseId }: Source): TableKey => ({
  id: tableId,
  enterpriseId,
})

const selectRejects = (table: TableKey): string =>
  `select r.id, r.load, r.row, r.line, r."column", r.value, r.message, r.raw
   ${shownRejects(table)} order by r.load, r.row, r.line, r.id`
