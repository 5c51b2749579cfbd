import type { Knex } from 'knex'
import type { ClientBase } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import {
  ReminderConflictException,
  SlotConflictException,
  SlotNotFoundException,
} from '../../errors/index.ts'
import { SlotModel } from '../../models/collection.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import {
  type Collection,
  type Slot,
  slot,
  type SlotDelivery,
  type SlotState,
} from '../../resources/collection.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { LoadsParts } from '../../stack/fill/run-load.ts'
import type { Lease } from '../../stack/leases.ts'
import { findLoad } from '../../stack/load.ts'
import { publishStaged } from '../../stack/publish-staged.ts'
import { removeLoad } from '../../stack/remove-load.ts'
import type { Actor } from '../actor.ts'
import type { PartUploads } from '../uploads/part-uploads.ts'
import { collectionMessages } from './collection-messages.ts'
import { dropUploadsOfEndedLinks } from './delivery-uploads.ts'
import { endLinks, holdSender, makeSecrets } from './links.ts'
import { inviteSenders, remindSender } from './mails.ts'
import type { Receipts } from './receipts.ts'
import type { MadeLink } from './senders.ts'
import { emptySlotOf, giveReceipt, heldIn } from './slots.ts'
import type { TurnsOfTables } from './turns-of-tables.ts'

export interface SlotsParts extends LoadsParts {
  readonly knex: Knex
  readonly receipts: Pick<Receipts, 'sign'>
  readonly turns: TurnsOfTables
  readonly partUploads: Pick<PartUploads, 'sweep'>
}

/** What a person has decided about a slot. */
interface Decision {
  /** What they looked at; undefined: whatever is there. */
  readonly loadUuid?: string | undefined
  /** In which state they saw it. */
  readonly state?: 'received' | 'accepted' | undefined
  readonly signal: AbortSignal
  readonly record?: Recording | undefined
}

interface SlotQuery extends PageRequest {
  readonly search?: string | undefined
  readonly state?: SlotState | undefined
}

/** What is done with the slots of a collection; `find` is asked first, within the scope of the actor. */
export function manageSlots(
  parts: SlotsParts,
  find: (actor: Actor, uuid: string) => Promise<Collection>,
) {
  const { knex, pool, turns } = parts

  return {
    async slots(
      actor: Actor,
      uuid: string,
      { search, state, ...request }: SlotQuery,
      signal: AbortSignal,
    ): Promise<Page<Slot>> {
      const { id } = await find(actor, uuid)
      const query = SlotModel.query(knex).visibleTo(actor).where('collection_id', id)
      if (state !== undefined) void query.where('state', state)
      if (search !== undefined) {
        void query.whereRaw(
          `sender_id in (
             select se.id from collection_senders se
             where se.collection_id = ?
               and search_fold(se.key || ' ' || se.name || ' ' || se.email) like search_pattern(?))`,
          [id, search],
        )
      }
      return query.listAs(slot, request, signal)
    },

    async remind(actor: Actor, uuid: string, slotUuid: string, record?: Recording): Promise<Slot> {
      const collected = await find(actor, uuid)
      const { senderId, state } = await findSlot(actor, collected, slotUuid)
      if (state !== 'awaited' && state !== 'refused') {
        throw new ReminderConflictException(collectionMessages.nothingAwaited())
      }
      await withTransaction(pool, async (client) => {
        if (!(await remindSender(client, senderId))) {
          throw new ReminderConflictException(collectionMessages.remindedToday())
        }
        await record?.(client)
      })
      return findSlot(actor, collected, slotUuid)
    },

    /** A new link for the sender of a slot; all others of theirs end. */
    async renewLink(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      alongside?: Alongside<MadeLink>,
    ): Promise<MadeLink> {
      const { senderId, sender } = await findSlot(actor, await find(actor, uuid), slotUuid)
      const renewed = await withTransaction(pool, async (client) => {
        if (!(await holdSender(client, senderId))) throw new SlotNotFoundException()
        await endLinks(client, senderId)
        const [secret] = await makeSecrets(client, [senderId])
        await inviteSenders(client, [senderId])
        const made = { sender, secret: secret! }
        await alongside?.(client, made)
        return made
      })
      await dropUploadsOfEndedLinks(parts)
      return renewed
    },

    /** Shows the rows that wait in a slot, in the place of those that it held. */
    async approve(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      { loadUuid, signal, record }: Decision,
    ): Promise<Slot> {
      const collected = await find(actor, uuid)
      const { id, senderId } = await findSlot(actor, collected, slotUuid)
      const { tableId } = collected
      await turns.take(tableId, signal, async (lease) => {
        // Read under the lease: another file may have come.
        const [waiting] = await heldIn(pool, id)
        if (waiting?.state !== 'received') {
          throw new SlotConflictException(collectionMessages.nothingWaits())
        }
        requireSeen(waiting, { loadUuid })
        const load = await findLoad(pool, tableId, waiting.loadUuid!)
        const work = {
          signal,
          seal: async (client: ClientBase) => {
            if (!(await holdSender(client, senderId))) throw new SlotNotFoundException()
            await giveReceipt(client, parts, waiting)
            await record?.(client)
          },
        }
        await publishStaged(parts, { load, lease, answers: null }, work)
      })
      return findSlot(actor, collected, slotUuid)
    },

    /** Takes out what came into a slot, which then awaits another file. */
    async returnSlot(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      { message, signal, record, ...seen }: Decision & { readonly message: string },
    ): Promise<Slot> {
      const collected = await find(actor, uuid)
      const { id } = await findSlot(actor, collected, slotUuid)
      const { tableId } = collected
      const take = async (of: SlotDelivery, lease: Lease, recorded?: Recording) => {
        const load = await findLoad(pool, tableId, of.loadUuid!)
        const empty = async (client: ClientBase) => {
          await emptySlotOf(client, load.id, message.trim())
          await recorded?.(client)
        }
        await removeLoad(parts, { load, lease, signal, record: empty })
      }
      const below = await turns.take(tableId, signal, async (lease) => {
        // Read under the lease: another file may have come, or a rollback taken the rows out.
        const [latest, accepted] = await heldIn(pool, id)
        if (latest === undefined) throw new SlotConflictException(collectionMessages.nothingCame())
        requireSeen(latest, seen)
        await take(latest, lease, record)
        return accepted
      })
      if (below !== undefined) {
        await turns.take(tableId, signal, async (lease) => {
          const held = await heldIn(pool, id)
          const still = held.find(({ uuid: each }) => each === below.uuid)
          if (still !== undefined) await take(still, lease)
        })
      }
      return findSlot(actor, collected, slotUuid)
    },
  }

  async function findSlot(actor: Actor, { id }: Collection, slotUuid: string): Promise<Slot> {
    const query = SlotModel.query(knex).visibleTo(actor).byUuid(slotUuid)
    const found = await query.where('collection_id', id).oneAs(slot)
    if (!found) throw new SlotNotFoundException()
    return found
  }
}

function requireSeen(
  { loadUuid, state }: SlotDelivery,
  seen: Pick<Decision, 'loadUuid' | 'state'>,
): void {
  if ((seen.loadUuid ?? loadUuid) !== loadUuid) {
    throw new SlotConflictException(collectionMessages.anotherCame())
  }
  if ((seen.state ?? state) !== state) {
    throw new SlotConflictException(collectionMessages.decidedMeanwhile())
  }
}
