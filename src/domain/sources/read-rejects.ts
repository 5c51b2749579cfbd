import type { ClientBase } from 'pg'

import { pageTooLarge, PageTooLongError, readBounded } from '../../stack/read/bounded-rows.ts'
import type { TableKey } from '../../stack/table/partitions.ts'
import { areThere, rejectsOfLoad, shownRejects } from '../../stack/fill/rejects.ts'
import type { TableState } from '../../stack/read/snapshot.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Load } from '../../stack/load.ts'
import type { Source } from './source.ts'
import type { Reads } from './sources-parts.ts'
import type { Reject, Finders } from './sources.ts'
import type { Actor } from '../actor.ts'
import type { Page, PageRequest } from '../../resources/page.ts'

/** A small number, since a row may be long and is processed in one go. */
const REJECTS_AT_ONCE = 100

interface RejectsQuery extends PageRequest {
  /** A load that waits to be published; absent: what is shown. */
  readonly load?: string | undefined
}

/** Rows that loads skipped, by load and then in the order of their source. */
export function readRejects(reads: Reads, { find, findLoad }: Pick<Finders, 'find' | 'findLoad'>) {
  return async (
    actor: Actor,
    uuid: string,
    { page, limit, load }: RejectsQuery,
    signal: AbortSignal,
  ): Promise<Page<Reject>> => {
    const source = await find(actor, uuid)
    const staged = load === undefined ? null : await findLoad(actor, uuid, load)
    const known = staged === null ? source.rejectedCount : rejectedBy(staged)
    if (known === 0) return { items: [], total: 0 }
    return readInTurn(reads, { actor, source, signal }, async (client, { rejectedCount }) => {
      const total = staged === null ? rejectedCount : known
      if (total === 0) return { items: [], total }
      const offset = (page - 1) * limit
      const table = keyOf(source)
      if (!(await areThere(client, table))) return { items: [], total: 0 }
      const which = staged === null ? shownRejects(table) : rejectsOfLoad(table, staged.id)
      const select = `select ${AS_JSON} from (${selectRejects(which)}
                      limit ${limit} offset ${offset}) rejects`
      const written = await readBounded(client, select, {
        write: ([reject]) => [reject!],
        besidesBytes: ENVELOPE_BYTES,
        signal,
      }).catch((error: unknown) => {
        throw error instanceof PageTooLongError ? pageTooLarge(error, offset) : error
      })
      const items = written.map((reject) => JSON.parse(reject) as Reject)
      return { items, total }
    })
  }
}

/** Those of other loads are shown with the table, or are forgotten. */
const rejectedBy = ({ state, counts }: Load) => (state === 'staged' ? (counts?.rejected ?? 0) : 0)

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
  if (rejectedCount === 0 || !(await areThere(client, keyOf(source)))) return
  await client.query(
    `declare rejects no scroll cursor for ${selectRejects(shownRejects(keyOf(source)))}`,
  )
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

const selectRejects = (which: string): string =>
  `select r.id, r.load, r.row, r.line, r."column", r.value, r.message, r.raw
   ${which} order by r.load, r.row, r.line, r.id`
