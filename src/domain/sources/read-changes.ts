import { untilAborted } from '../../db/until-aborted.ts'
import {
  invalidField,
  ServiceUnavailableException,
  SourceBusyException,
} from '../../errors/index.ts'
import { findStaged, type Load } from '../../stack/load.ts'
import { changesMessages } from './changes-messages.ts'
import { readChangesPage } from './changes-page.ts'
import type { Source } from './source.ts'
import { sourceMessages } from './source-messages.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Finders, ChangesPage, ChangesQuery } from './sources.ts'
import { withStates } from './with-states.ts'
import type { Actor } from '../actor.ts'

/** Longer than any comparison that somebody waits for. */
const TIMEOUT_MS = 10 * 60 * 1000

/** Compares two states of a source, whether or not they are shown. */
export function readChanges(parts: SourcesParts, sources: Pick<Finders, 'find' | 'findLoad'>) {
  return async (
    actor: Actor,
    uuid: string,
    query: ChangesQuery,
    signal: AbortSignal,
  ): Promise<ChangesPage> => {
    const source = await sources.find(actor, uuid)
    if (source.loadedAt === null) throw new SourceBusyException(sourceMessages.firstLoad())
    const from = query.from === undefined ? null : await sources.findLoad(actor, uuid, query.from)
    const to =
      query.to === undefined
        ? await onlyStaged(parts, source)
        : await sources.findLoad(actor, uuid, query.to)
    const { pool, nodes } = parts.exports
    await nodes.requireFor(source.tableId)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const leaving = AbortSignal.any([signal, timeout])
      return await untilAborted(pool, leaving, (client) =>
        withStates(client, source.tableId, [from, to], (states) =>
          readChangesPage(client, states, query),
        ),
      )
    } catch (error) {
      throw timeout.aborted && !signal.aborted ? tookTooLong(error) : error
    }
  }
}

const tookTooLong = (cause: unknown) =>
  new ServiceUnavailableException(changesMessages.tookTooLong(), {
    headers: { 'retry-after': '60' },
    cause,
  })

async function onlyStaged({ pool }: SourcesParts, { tableId }: Source): Promise<Load> {
  const [load, ...others] = await findStaged(pool, tableId)
  if (load === undefined) throw invalidField('/query/to', changesMessages.noneStaged())
  if (others.length === 0) return load
  const uuids = [load, ...others].map((staged) => staged.uuid)
  throw invalidField('/query/to', changesMessages.severalStaged({ uuids }))
}
