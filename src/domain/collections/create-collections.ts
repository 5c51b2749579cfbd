import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

import type { Language } from '../../../pipelines/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  CollectionNotFoundException,
  invalidField,
  ReminderConflictException,
  SenderNotFoundException,
  SlotConflictException,
  SlotNotFoundException,
  SourceBusyException,
} from '../../errors/index.ts'
import { CollectionModel, SlotModel } from '../../models/collection.ts'
import { TOUCHED } from '../../models/touched.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import {
  type Collection,
  collection,
  type Slot,
  slot,
  type SlotState,
} from '../../resources/collection.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { addColumns } from '../../stack/add-columns.ts'
import { findLoad } from '../../stack/load.ts'
import { publishStaged } from '../../stack/publish-staged.ts'
import { removeLoad } from '../../stack/remove-load.ts'
import type { LoadsParts } from '../../stack/fill/run-load.ts'
import { readTable } from '../../stack/look.ts'
import type { Actor } from '../actor.ts'
import { expectationOf } from '../shapes/expect.ts'
import type { Sources } from '../sources/create-sources.ts'
import { collectionMessages } from './collection-messages.ts'
import { endLinks, holdSender, makeSecrets } from './links.ts'
import { inviteSenders, remindSender } from './mails.ts'
import { type GivenLabels, labelColumns } from './label-columns.ts'
import type { Receipts } from './receipts.ts'
import { addOnlyPeriod, addPeriods, addSenders, type MadeLink, type NewSender } from './senders.ts'
import { accept, emptySlotOf, loadsIn, waitingIn } from './slots.ts'
import type { TurnsOfTables } from './turns-of-tables.ts'

export interface CollectionsParts extends LoadsParts {
  readonly knex: Knex
  readonly sources: Pick<Sources, 'locate'>
  readonly receipts: Pick<Receipts, 'sign'>
  readonly turns: TurnsOfTables
  /** Of senders who have none of their own. */
  readonly language: Language
}

interface NewCollection {
  readonly name: string
  readonly sourceUuid: string
  readonly senders: readonly NewSender[]
  readonly periods?: readonly string[] | undefined
  readonly deadline?: Date | undefined
  readonly closeAtDeadline?: boolean | undefined
  readonly remind?: readonly string[] | undefined
  readonly approval?: boolean | undefined
  readonly labels?: GivenLabels | undefined
  readonly message?: string | undefined
}

/** The links are known here alone. */
export interface MadeCollection {
  readonly collection: Collection
  readonly links: readonly MadeLink[]
}

interface CollectionChange {
  readonly name?: string | undefined
  /** Null: there is none any more. */
  readonly deadline?: Date | null | undefined
  readonly closeAtDeadline?: boolean | undefined
  readonly remind?: readonly string[] | undefined
  readonly approval?: boolean | undefined
  readonly message?: string | null | undefined
}

interface CollectionQuery extends PageRequest {
  readonly search?: string | undefined
}

interface SlotQuery extends CollectionQuery {
  readonly state?: SlotState | undefined
}

/** Many senders, one table. A collection that the actor may not see is a CollectionNotFoundException. */
export function createCollections(parts: CollectionsParts) {
  const { knex, pool, leases, sources, turns } = parts

  async function find(actor: Actor, uuid: string, client?: ClientBase): Promise<Collection> {
    const query = CollectionModel.query(knex).visibleTo(actor).byUuid(uuid)
    const found = await (client ? query.on(client) : query).oneAs(collection)
    if (!found) throw new CollectionNotFoundException()
    return found
  }

  return {
    find: (actor: Actor, uuid: string): Promise<Collection> => find(actor, uuid),

    async list(
      actor: Actor,
      { search, ...request }: CollectionQuery,
      signal: AbortSignal,
    ): Promise<Page<Collection>> {
      const query = CollectionModel.query(knex).visibleTo(actor)
      if (search !== undefined) {
        void query.whereRaw('search_fold(collections.name) like search_pattern(?)', [search])
      }
      return query.listAs(collection, request, signal)
    },

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

    /** The source is held while its label columns are added; whoever loads it meanwhile is told so. */
    async create(
      actor: Actor,
      given: NewCollection,
      alongside?: Alongside<MadeCollection>,
    ): Promise<MadeCollection> {
      refuseDeadline(given.deadline)
      const source = await sources.locate(actor, given.sourceUuid)
      if (!source.isLoaded) throw new SourceBusyException()
      return leases.during(source.tableId, null, (lease) =>
        withTransaction(pool, async (client) => {
          const known = await columnsOf(pool, source)
          const labels = labelColumns(given.labels ?? {}, known)
          await addColumns(client, parts, lease, labels.added)
          const { uuid, id } = await CollectionModel.query(knex)
            .on(client)
            .insert({
              enterprise_id: source.enterpriseId,
              source_id: source.id,
              name: given.name.trim(),
              message: given.message?.trim() || null,
              deadline: given.deadline ?? null,
              close_at_deadline: given.closeAtDeadline ?? false,
              approval: given.approval ?? false,
              remind: given.remind ?? [],
              sender_column: labels.sender,
              period_column: labels.period,
              created_by: actor.id,
            })
            .returning(['uuid', 'id'])
          const of = { id, enterpriseId: source.enterpriseId }
          const { periods = [] } = given
          await (periods.length === 0 ? addOnlyPeriod(client, of) : addPeriods(client, of, periods))
          const links = await addSenders(client, of, given.senders, parts.language)
          await leases.release(client, lease)
          const made = { collection: await find(actor, uuid, client), links }
          await alongside?.(client, made)
          return made
        }),
      )
    },

    async change(actor: Actor, uuid: string, given: CollectionChange): Promise<Collection> {
      const { name, deadline, closeAtDeadline, remind, approval, message } = given
      refuseDeadline(deadline)
      const changed = await CollectionModel.query(knex)
        .visibleTo(actor)
        .where('uuid', uuid)
        .patchAs(collection, {
          ...(name !== undefined && { name: name.trim() }),
          ...(deadline !== undefined && { deadline }),
          ...(closeAtDeadline !== undefined && { close_at_deadline: closeAtDeadline }),
          ...(remind !== undefined && { remind }),
          ...(approval !== undefined && { approval }),
          ...(message !== undefined && { message: message?.trim() || null }),
          updated_at: TOUCHED,
        })
      if (!changed) throw new CollectionNotFoundException()
      return changed
    },

    /** Its links end; the rows that came stay in the table of the source. */
    async remove(actor: Actor, uuid: string): Promise<void> {
      const deleted = await CollectionModel.query(knex)
        .visibleTo(actor)
        .where('uuid', uuid)
        .delete()
      if (deleted === 0) throw new CollectionNotFoundException()
    },

    addSenders: (
      actor: Actor,
      uuid: string,
      senders: readonly NewSender[],
      alongside?: Alongside<MadeCollection>,
    ): Promise<MadeCollection> =>
      growing(
        actor,
        uuid,
        (client, of) => addSenders(client, of, senders, parts.language),
        alongside,
      ),

    addPeriods: (
      actor: Actor,
      uuid: string,
      periods: readonly string[],
      alongside?: Alongside<MadeCollection>,
    ): Promise<MadeCollection> =>
      growing(
        actor,
        uuid,
        async (client, of) => {
          await addPeriods(client, of, periods)
          return []
        },
        alongside,
      ),

    /** Their links end, and their slots go; the rows that they sent stay. */
    async removeSender(actor: Actor, uuid: string, senderUuid: string): Promise<void> {
      const { id } = await find(actor, uuid)
      const { rowCount } = await pool.query(
        'delete from collection_senders where collection_id = $1 and uuid = $2',
        [id, senderUuid],
      )
      if (rowCount === 0) throw new SenderNotFoundException()
    },

    async remind(actor: Actor, uuid: string, slotUuid: string): Promise<Slot> {
      const { senderId, state } = await findSlot(actor, uuid, slotUuid)
      if (state !== 'awaited' && state !== 'refused') {
        throw new ReminderConflictException(collectionMessages.nothingAwaited())
      }
      await withTransaction(pool, async (client) => {
        if (await remindSender(client, senderId)) return
        throw new ReminderConflictException(collectionMessages.remindedToday())
      })
      return findSlot(actor, uuid, slotUuid)
    },

    /** A new link for the sender of a slot; all others of theirs end. */
    async renewLink(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      alongside?: Alongside<MadeLink>,
    ): Promise<MadeLink> {
      const { senderId, sender } = await findSlot(actor, uuid, slotUuid)
      return withTransaction(pool, async (client) => {
        await endLinks(client, senderId)
        const [secret] = await makeSecrets(client, [senderId])
        await inviteSenders(client, [senderId])
        const made = { sender, secret: secret! }
        await alongside?.(client, made)
        return made
      })
    },

    /** Shows the rows that wait in a slot, in the place of those that it held. */
    async approve(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      { signal, record }: { readonly signal: AbortSignal; readonly record?: Recording },
    ): Promise<Slot> {
      const collected = await find(actor, uuid)
      const { id, senderId } = await findSlot(actor, uuid, slotUuid)
      const { tableId } = collected
      await turns.take(tableId, signal, async (lease) => {
        // Read under the lease: another file may have come.
        const waiting = await waitingIn(pool, id)
        const loadUuid = waiting?.loadUuid
        if (!waiting || !loadUuid) {
          throw new SlotConflictException(collectionMessages.nothingWaits())
        }
        const load = await findLoad(pool, tableId, loadUuid)
        const work = {
          signal,
          seal: async (client: ClientBase) => {
            if (!(await holdSender(client, senderId))) throw new SlotNotFoundException()
            await accept(client, parts, waiting)
            await record?.(client)
          },
        }
        await publishStaged(parts, { load, lease, answers: null }, work)
      })
      return findSlot(actor, uuid, slotUuid)
    },

    /** Takes out what came into a slot, which then awaits another file. */
    async returnSlot(
      actor: Actor,
      uuid: string,
      slotUuid: string,
      { message, signal }: { readonly message: string; readonly signal: AbortSignal },
    ): Promise<Slot> {
      const { tableId } = await find(actor, uuid)
      const { id } = await findSlot(actor, uuid, slotUuid)
      const loads = await loadsIn(pool, id)
      if (loads.length === 0) throw new SlotConflictException(collectionMessages.nothingCame())
      for (const loadUuid of loads) {
        await turns.take(tableId, signal, async (lease) => {
          const load = await findLoad(pool, tableId, loadUuid)
          const record = (client: ClientBase) => emptySlotOf(client, load.id, message.trim())
          if (load.state === 'staged' || load.state === 'current') {
            await removeLoad(parts, { load, lease, signal, record })
            return
          }
          // A rollback has taken its rows out already.
          await withTransaction(pool, async (client) => {
            await record(client)
            await leases.release(client, lease)
          })
        })
      }
      return findSlot(actor, uuid, slotUuid)
    },
  }

  async function findSlot(actor: Actor, uuid: string, slotUuid: string): Promise<Slot> {
    const { id } = await find(actor, uuid)
    const query = SlotModel.query(knex).visibleTo(actor).byUuid(slotUuid)
    const found = await query.where('collection_id', id).oneAs(slot)
    if (!found) throw new SlotNotFoundException()
    return found
  }

  /** One after the other, so that all of them are counted. */
  function growing(
    actor: Actor,
    uuid: string,
    grow: (client: ClientBase, of: Collection) => Promise<readonly MadeLink[]>,
    alongside: Alongside<MadeCollection> | undefined,
  ): Promise<MadeCollection> {
    return withTransaction(pool, async (client) => {
      const { id } = await find(actor, uuid, client)
      const { rowCount } = await client.query(
        'update collections set updated_at = clock_timestamp() where id = $1',
        [id],
      )
      if (rowCount === 0) throw new CollectionNotFoundException()
      const links = await grow(client, await find(actor, uuid, client))
      const made = { collection: await find(actor, uuid, client), links }
      await alongside?.(client, made)
      return made
    })
  }
}

export type Collections = ReturnType<typeof createCollections>

async function columnsOf(
  pool: Pool,
  { id, tableId }: { readonly id: number; readonly tableId: number },
) {
  const { shape } = await expectationOf(pool, id)
  const { columns } = await readTable(pool, tableId)
  return { ofTable: columns, ofShape: shape.columns }
}

function refuseDeadline(deadline: Date | null | undefined): void {
  if (deadline && deadline.getTime() <= Date.now()) {
    throw invalidField('/deadline', collectionMessages.deadlinePassed())
  }
}
