import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../../errors/index.ts'
import { collectionMessages } from '../collections/collection-messages.ts'
import { emptySlotOf } from '../collections/slots.ts'
import { refuseCollected } from '../collections/refuse-collected.ts'
import { removeLoad } from '../../stack/remove-load.ts'
import { rollBack } from '../../stack/roll-back.ts'
import { answerLoad } from './answer-load.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Sources } from './sources.ts'

type Managing = Pick<Sources, 'publishLoad' | 'removeLoad' | 'rollBack'>

/** What can be done with the loads of a source once they exist. */
export function manageLoads(
  parts: SourcesParts,
  { find, locate, findLoad }: Pick<Sources, 'find' | 'locate' | 'findLoad'>,
): Managing {
  const { leases } = parts
  return {
    async publishLoad(actor, uuid, loadUuid, given, work) {
      const { tableId } = await findLoad(actor, uuid, loadUuid)
      await leases.during(tableId, work.jobUuid, async (lease) => {
        // Read under the lease: somebody else may have answered.
        const load = await findLoad(actor, uuid, loadUuid)
        if (load.kind === 'delivery' && load.state === 'staged') {
          throw new SourceLoadConflictException(collectionMessages.approveInstead())
        }
        const source = await find(actor, uuid)
        if (load.mode === 'replace') await refuseCollected(parts.pool, source.id)
        await answerLoad(parts, { actor, source, load, lease }, given, work)
      })
      return find(actor, uuid)
    },

    async removeLoad(actor, uuid, loadUuid, signal, record) {
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

    async rollBack(actor, uuid, loadUuid, work) {
      const { tableId } = await locate(actor, uuid)
      const to = loadUuid === null ? null : await findLoad(actor, uuid, loadUuid)
      await leases.during(tableId, work.jobUuid, (lease) =>
        rollBack(parts, { actor, tableId, lease, to }, work),
      )
      return find(actor, uuid)
    },
  }
}
