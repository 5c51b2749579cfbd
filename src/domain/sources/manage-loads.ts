import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../../errors/index.ts'
import { collectionMessages } from '../collections/collection-messages.ts'
import { emptySlotOf, waitsInSlot } from '../collections/slots.ts'
import { refuseCollected } from '../collections/refuse-collected.ts'
import { removeLoad } from '../../stack/remove-load.ts'
import { rollBack } from '../../stack/roll-back.ts'
import { answerLoad } from './answer-load.ts'
import type { SourcesParts, Finders } from './sources.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { Actor } from '../actor.ts'
import type { GivenMapping } from '../shapes/expect.ts'
import type { Source } from './source.ts'
import type { Work } from '../../stack/fill/run-load.ts'

/** What can be done with the loads of a source once they exist. */
export function manageLoads(
  parts: SourcesParts,
  { find, locate, findLoad }: Pick<Finders, 'find' | 'locate' | 'findLoad'>,
) {
  const { leases } = parts
  return {
    /** Shows a staged load, with the answers to its questions. */
    async publishLoad(
      actor: Actor,
      uuid: string,
      loadUuid: string,
      given: GivenMapping,
      work: Work,
    ): Promise<Source> {
      const { tableId } = await findLoad(actor, uuid, loadUuid)
      await leases.during(tableId, work.jobUuid, async (lease) => {
        // Read under the lease: somebody else may have answered.
        const load = await findLoad(actor, uuid, loadUuid)
        if (load.state === 'staged' && (await waitsInSlot(parts.pool, load.id))) {
          throw new SourceLoadConflictException(collectionMessages.approveInstead())
        }
        const source = await find(actor, uuid)
        if (load.mode === 'replace') await refuseCollected(parts.pool, source.id)
        await answerLoad(parts, { actor, source, load, lease }, given, work)
      })
      return find(actor, uuid)
    },

    /** Drops a staged load, or takes an appended one out. */
    async removeLoad(
      actor: Actor,
      uuid: string,
      loadUuid: string,
      signal: AbortSignal,
      record: Recording,
    ): Promise<void> {
      const load = await findLoad(actor, uuid, loadUuid)
      // A slot that held it awaits another file.
      const recorded = async (client: ClientBase) => {
        await record?.(client)
        await emptySlotOf(client, load.id, null)
      }
      await leases.during(load.tableId, null, (lease) =>
        removeLoad(parts, { load, lease, signal, record: recorded }),
      )
    },

    /** Shows the state after the load again; null: what was shown before the last publication. */
    async rollBack(
      actor: Actor,
      uuid: string,
      loadUuid: string | null,
      work: Work,
    ): Promise<Source> {
      const { tableId } = await locate(actor, uuid)
      const to = loadUuid === null ? null : await findLoad(actor, uuid, loadUuid)
      await leases.during(tableId, work.jobUuid, (lease) =>
        rollBack(parts, { actor, tableId, lease, to }, work),
      )
      return find(actor, uuid)
    },
  }
}
