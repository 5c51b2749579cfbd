import type { ClientBase, Pool } from 'pg'

import type { Language } from '../../../pipelines/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  CollectionNotFoundException,
  invalidField,
  SenderNotFoundException,
  SourceBusyException,
} from '../../errors/index.ts'
import { CollectionModel } from '../../models/collection.ts'
import { TOUCHED } from '../../models/touched.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import { type Collection, collection } from '../../resources/collection.ts'
import type { Page, SortedRequest } from '../../resources/page.ts'
import { addColumns } from '../../stack/change-columns.ts'
import { readTable } from '../../stack/look.ts'
import type { Actor } from '../actor.ts'
import { expectationOf } from '../shapes/expect.ts'
import type { Sources } from '../sources/create-sources.ts'
import { collectionMessages } from './collection-messages.ts'
import { dropUploadsOfEndedLinks } from './delivery-uploads.ts'
import { type GivenLabels, labelColumns } from './label-columns.ts'
import { manageSlots, type SlotsParts } from './manage-slots.ts'
import { addOnlyPeriod, addPeriods, addSenders, type MadeLink, type NewSender } from './senders.ts'

export interface CollectionsParts extends SlotsParts {
  readonly sources: Pick<Sources, 'locate'>
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

interface CollectionQuery extends SortedRequest {
  readonly search?: string | undefined
}

/** Many senders, one table. A collection that the actor may not see is a CollectionNotFoundException. */
export function createCollections(parts: CollectionsParts) {
  const { knex, pool, leases, sources } = parts

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
    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      await withTransaction(pool, async (client) => {
        const found = CollectionModel.query(knex).visibleTo(actor).where('uuid', uuid)
        if ((await found.on(client).delete()) === 0) throw new CollectionNotFoundException()
        await record?.(client)
      })
      await dropUploadsOfEndedLinks(parts)
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
    async removeSender(
      actor: Actor,
      uuid: string,
      senderUuid: string,
      record?: Recording,
    ): Promise<void> {
      const { id } = await find(actor, uuid)
      await withTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          'delete from collection_senders where collection_id = $1 and uuid = $2',
          [id, senderUuid],
        )
        if (rowCount === 0) throw new SenderNotFoundException()
        await record?.(client)
      })
      await dropUploadsOfEndedLinks(parts)
    },

    ...manageSlots(parts, find),
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
