import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

import type { Language } from '../../../pipelines/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  CollectionNotFoundException,
  invalidField,
  SourceBusyException,
} from '../../errors/index.ts'
import { CollectionModel, SlotModel } from '../../models/collection.ts'
import type { Alongside } from '../../resources/alongside.ts'
import {
  type Collection,
  collection,
  type Slot,
  slot,
  type SlotState,
} from '../../resources/collection.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { addColumns } from '../../stack/add-columns.ts'
import type { LoadsParts } from '../../stack/run-load.ts'
import { readTable } from '../../stack/look.ts'
import type { Actor } from '../actor.ts'
import { expectationOf } from '../shapes/expect.ts'
import type { Sources } from '../sources/sources.ts'
import { collectionMessages } from './collection-messages.ts'
import { type GivenLabels, labelColumns } from './label-columns.ts'
import { addOnlyPeriod, addPeriods, addSenders, type MadeLink, type NewSender } from './senders.ts'

export interface CollectionsParts extends LoadsParts {
  readonly knex: Knex
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

interface CollectionQuery extends PageRequest {
  readonly search?: string | undefined
}

interface SlotQuery extends CollectionQuery {
  readonly state?: SlotState | undefined
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
