import type { Knex } from 'knex'
import { raw } from 'objection'

import { shownName } from '../../../pipelines/index.ts'
import { connectionOf } from '../../db/knex.ts'
import {
  invalidField,
  ShapeInUseException,
  ShapeNotFoundException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { ShapeModel } from '../../models/shape.ts'
import { SourceModel } from '../../models/source.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import type { Page, SortedRequest } from '../../resources/page.ts'
import { type FileShape, shape, type ShapeColumn } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import type { Actor } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { requireSeen, type SeenTags, rememberAliases } from './shape-versions.ts'
import { shapeMessages } from './shape-messages.ts'
import type { ShapeColumns } from './shape-columns.ts'

/** How many of the sources that use a shape are named. */
const MOST_NAMED = 5

interface NewShape
  extends ShapeColumns, Partial<Pick<FileShape, 'unknown' | 'missing' | 'left' | 'rules'>> {
  readonly name: string
  readonly enterpriseId: number
}

interface ShapeQuery extends SortedRequest {
  readonly search?: string | undefined
}

/** What of a statement is written with Knex, here or in a transaction. */
type Queries = Knex | Knex.Transaction

export function createShapeRecords({ knex }: { readonly knex: Knex }) {
  async function find(actor: Actor, uuid: string, queries: Queries = knex): Promise<FileShape> {
    const found = await ShapeModel.query(queries).visibleTo(actor).byUuid(uuid).oneAs(shape)
    if (!found) throw new ShapeNotFoundException()
    return found
  }

  /** The sources of the enterprise that rules look into, which stay until the transaction ends, and their columns. */
  async function requireLookUps(
    trx: Knex.Transaction,
    actor: Actor,
    enterpriseId: number,
    columns: readonly ShapeColumn[],
  ): Promise<void> {
    for (const [at, { rules }] of columns.entries()) {
      for (const [n, { in: lookUp }] of rules.entries()) {
        if (lookUp === undefined) continue
        const found = await SourceModel.query(trx)
          .visibleTo(actor)
          .byUuid(lookUp.sourceUuid)
          .where('sources.enterprise_id', enterpriseId)
          .join('generated_tables as looked', 'looked.id', 'sources.table_id')
          .select(raw('looked.columns').as('columns'))
          .forKeyShare()
          .castTo<{ columns: readonly TableColumn[] } | undefined>()
        if (!found) throw new SourceNotFoundException()
        const name = lookUp.column
        if (found.columns.some((each) => each.name === name || each.column === name)) continue
        const pointer = `/columns/${at}/rules/${n}/in/column`
        throw invalidField(pointer, shapeMessages.noLookUp({ name: shownName(name) }))
      }
    }
  }

  /** Locks it until the transaction ends. `tags`: only if it is still one of these; null: whatever it is. */
  async function findForChange(
    trx: Knex.Transaction,
    actor: Actor,
    uuid: string,
    tags: SeenTags,
  ): Promise<FileShape> {
    const found = await ShapeModel.query(trx).visibleTo(actor).byUuid(uuid).forUpdate().oneAs(shape)
    if (!found) throw new ShapeNotFoundException()
    await requireSeen(await connectionOf(trx), found, tags)
    return found
  }

  return {
    find: (actor: Actor, uuid: string): Promise<FileShape> => find(actor, uuid),
    findForChange,
    requireLookUps,

    /** For sources of this enterprise; in a transaction it stays as it is until that ends. */
    async findShared(
      actor: Actor,
      uuid: string,
      enterpriseId: number,
      trx?: Knex.Transaction,
    ): Promise<FileShape> {
      const query = ShapeModel.query(trx ?? knex).visibleTo(actor)
      if (trx !== undefined) void query.forShare()
      const found = await query.byUuid(uuid).oneAs(shape)
      if (!found) throw new ShapeNotFoundException()
      if (found.sourceId !== null || found.enterpriseId !== enterpriseId) {
        throw new ShapeNotFoundException()
      }
      return found
    },

    /** Of a source that was found in scope. */
    async ownOf(trx: Knex.Transaction, actor: Actor, sourceId: number): Promise<FileShape> {
      const query = ShapeModel.query(trx).visibleTo(actor).where('source_id', sourceId)
      return (await query.oneAs(shape))!
    },

    /** The shape that a source has: one that is shared, or its own. */
    async ofSource(actor: Actor, sourceUuid: string): Promise<FileShape> {
      const source = await SourceModel.query(knex)
        .visibleTo(actor)
        .byUuid(sourceUuid)
        .select('sources.id', 'sources.shape_id')
      if (!source) throw new SourceNotFoundException()
      const { id, shape_id: shared } = source
      const query = ShapeModel.query(knex).visibleTo(actor)
      void (shared === null
        ? query.where('shapes.source_id', id)
        : query.where('shapes.id', shared))
      const found = await query.oneAs(shape)
      if (!found) throw new ShapeNotFoundException()
      return found
    },

    async list(
      actor: Actor,
      { search, ...request }: ShapeQuery,
      signal: AbortSignal,
    ): Promise<Page<FileShape>> {
      const query = ShapeModel.query(knex).visibleTo(actor).whereNotNull('shapes.name')
      if (search !== undefined) {
        void query.whereRaw('search_fold(shapes.name) like search_pattern(?)', [search])
      }
      return query.listAs(shape, request, signal)
    },

    chooseEnterprise: (actor: Actor, enterpriseId: number | undefined): Promise<number> =>
      chooseEnterprise(knex, actor, enterpriseId),

    async create(
      actor: Actor,
      given: NewShape,
      alongside?: Alongside<FileShape>,
    ): Promise<FileShape> {
      const { name, enterpriseId, columns, heldColumns, unknown, missing, left, rules } = given
      return knex.transaction(async (trx) => {
        await requireLookUps(trx, actor, enterpriseId, columns)
        const { uuid, id } = await ShapeModel.query(trx)
          .insert({
            enterprise_id: enterpriseId,
            name: name.trim(),
            columns,
            held_columns: heldColumns,
            ...(left && { left_out: left }),
            ...(rules && { rules }),
            ...(unknown && { unknown }),
            ...(missing && { missing }),
            created_by: actor.id,
          })
          .returning(['uuid', 'id'])
        await rememberAliases(await connectionOf(trx), id, columns)
        const made = await find(actor, uuid, trx)
        await alongside?.(await connectionOf(trx), made)
        return made
      })
    },

    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      await knex.transaction(async (trx) => {
        const { id, sourceId } = await findForChange(trx, actor, uuid, null)
        if (sourceId !== null) throw new ShapeInUseException(shapeMessages.ownInUse())
        // Whoever sees a shape sees all sources of its enterprise.
        const users = await SourceModel.query(trx)
          .visibleTo(actor)
          .where('shape_id', id)
          .orderBy('id')
          .select('name')
        if (users.length > 0) {
          const names = users.slice(0, MOST_NAMED).map(({ name }) => name)
          throw new ShapeInUseException(shapeMessages.inUse({ count: users.length, names }))
        }
        await ShapeModel.query(trx).foundBefore(id).delete()
        await record?.(await connectionOf(trx))
      })
    },
  }
}

/** `name` of a shape that belongs to one source. */
export const refuseNameOfOwn = (found: FileShape, name: string | undefined): void => {
  if (found.sourceId !== null && name !== undefined) {
    throw invalidField('/name', shapeMessages.ownHasNoName())
  }
}
