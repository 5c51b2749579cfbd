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
        const source = await find(actor, uuid)
        await answerLoad(parts, { actor, source, load, lease }, given, work)
      })
      return find(actor, uuid)
    },

    async removeLoad(actor, uuid, loadUuid, signal, record) {
      const load = await findLoad(actor, uuid, loadUuid)
      await leases.during(load.tableId, null, (lease) =>
        removeLoad(parts, { load, lease, signal, record }),
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
