import type { Knex } from 'knex'
import { raw } from 'objection'

import { foldName } from '../../../pipelines/index.ts'
import { connectionOf } from '../../db/knex.ts'
import {
  invalidField,
  ShapeChangedException,
  ShapeInUseException,
  ShapeNotFoundException,
  SourceNotFoundException,
} from '../../errors/index.ts'
import { Shape as Row } from '../../models/shape.ts'
import { Source } from '../../models/source.ts'
import { TOUCHED } from '../../models/touched.ts'
import type { Alongside } from '../../resources/alongside.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { type Shape, shape } from '../../resources/shape.ts'
import type { Actor } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { shapeMessages } from './shape-messages.ts'
import type { ShapeColumns } from './shape-columns.ts'

/** How many of the sources that use a shape are named. */
const MOST_NAMED = 5

interface NewShape extends ShapeColumns, Partial<Pick<Shape, 'unknown' | 'missing' | 'left'>> {
  readonly name: string
  readonly enterpriseId: number
}

export interface ShapeChange extends Partial<ShapeColumns> {
  readonly name?: string | undefined
  readonly unknown?: Shape['unknown'] | undefined
  readonly missing?: Shape['missing'] | undefined
  readonly left?: Shape['left'] | undefined
}

interface ShapeQuery extends PageRequest {
  readonly search?: string | undefined
}

/** What of a statement is written with Knex, here or in a transaction. */
type Queries = Knex | Knex.Transaction

/** Names this version of this shape. */
export const tagOf = ({ uuid, version }: Pick<Shape, 'uuid' | 'version'>): string =>
  `${uuid}.${version}`

export function createShapeRecords({ knex }: { readonly knex: Knex }) {
  async function find(actor: Actor, uuid: string, queries: Queries = knex): Promise<Shape> {
    const found = await Row.query(queries).visibleTo(actor).byUuid(uuid).oneAs(shape)
    if (!found) throw new ShapeNotFoundException()
    return found
  }

  /** Locks it until the transaction ends. `tags`: only if it is still one of these; null: whatever it is. */
  async function findForChange(
    trx: Knex.Transaction,
    actor: Actor,
    uuid: string,
    tags: readonly string[] | null,
  ): Promise<Shape> {
    const found = await Row.query(trx).visibleTo(actor).byUuid(uuid).forUpdate().oneAs(shape)
    if (!found) throw new ShapeNotFoundException()
    if (tags !== null && !tags.includes(tagOf(found))) {
      throw new ShapeChangedException(shapeMessages.movedOn({ version: found.version }))
    }
    return found
  }

  return {
    find: (actor: Actor, uuid: string): Promise<Shape> => find(actor, uuid),
    findForChange,

    /** The shape that a source has: one that is shared, or its own. */
    async ofSource(actor: Actor, sourceUuid: string): Promise<Shape> {
      const source = await Source.query(knex)
        .visibleTo(actor)
        .byUuid(sourceUuid)
        .select('sources.id', 'sources.shape_id')
      if (!source) throw new SourceNotFoundException()
      const { id, shape_id: shared } = source
      const query = Row.query(knex).visibleTo(actor)
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
    ): Promise<Page<Shape>> {
      const query = Row.query(knex).visibleTo(actor).whereNotNull('shapes.name')
      if (search !== undefined) {
        void query.whereRaw('search_fold(shapes.name) like search_pattern(?)', [search])
      }
      return query.listAs(shape, request, signal)
    },

    chooseEnterprise: (actor: Actor, enterpriseId: number | undefined): Promise<number> =>
      chooseEnterprise(knex, actor, enterpriseId),

    async create(actor: Actor, given: NewShape, alongside?: Alongside<Shape>): Promise<Shape> {
      const { name, enterpriseId, columns, heldColumns, unknown, missing, left } = given
      return knex.transaction(async (trx) => {
        const { uuid, id } = await Row.query(trx)
          .insert({
            enterprise_id: enterpriseId,
            name: name.trim(),
            columns,
            held_columns: heldColumns,
            ...(left && { left_out: left }),
            ...(unknown && { unknown }),
            ...(missing && { missing }),
            created_by: actor.id,
          })
          .returning(['uuid', 'id'])
        await rememberAliases(trx, { id, enterpriseId, columns })
        const made = await find(actor, uuid, trx)
        await alongside?.(await connectionOf(trx), made)
        return made
      })
    },

    /** Each change is a new version. */
    async write(trx: Knex.Transaction, found: Shape, change: ShapeChange): Promise<void> {
      const { name, columns, heldColumns, unknown, missing, left } = change
      await Row.query(trx)
        .foundBefore(found.id)
        .patch({
          ...(name !== undefined && { name: name.trim() }),
          ...(columns && { columns }),
          ...(heldColumns && { held_columns: heldColumns }),
          ...(left && { left_out: left }),
          ...(unknown && { unknown }),
          ...(missing && { missing }),
          version: raw('version + 1'),
          updated_at: TOUCHED,
        })
      if (columns) await rememberAliases(trx, { ...found, columns })
    },

    async remove(actor: Actor, uuid: string): Promise<void> {
      await knex.transaction(async (trx) => {
        const { id, sourceId } = await findForChange(trx, actor, uuid, null)
        if (sourceId !== null) throw new ShapeInUseException(shapeMessages.ownInUse())
        // Whoever sees a shape sees all sources of its enterprise.
        const users = await Source.query(trx)
          .visibleTo(actor)
          .where('shape_id', id)
          .orderBy('id')
          .select('name')
        if (users.length > 0) {
          const names = users.slice(0, MOST_NAMED).map(({ name }) => name)
          throw new ShapeInUseException(shapeMessages.inUse({ count: users.length, names }))
        }
        await Row.query(trx).foundBefore(id).delete()
      })
    },
  }
}

export type ShapeRecords = ReturnType<typeof createShapeRecords>

/** What a shape remembers, to be found by other shapes of its enterprise. */
async function rememberAliases(
  trx: Knex.Transaction,
  { id, enterpriseId, columns }: Pick<Shape, 'id' | 'enterpriseId' | 'columns'>,
): Promise<void> {
  const remembered = columns.flatMap(({ name, aliases }) =>
    aliases.map((alias) => ({ name, alias, folded: foldName(alias) })),
  )
  await trx.raw('delete from shape_aliases where shape_id = ?', [id])
  if (remembered.length === 0) return
  await trx.raw(
    `insert into shape_aliases (shape_id, enterprise_id, name, alias, folded)
     select ?, ?, name, alias, folded
     from jsonb_to_recordset(?::jsonb) as remembered (name text, alias text, folded text)`,
    [id, enterpriseId, JSON.stringify(remembered)],
  )
}

/** `name` of a shape that belongs to one source. */
export const refuseNameOfOwn = (found: Shape, name: string | undefined): void => {
  if (found.sourceId !== null && name !== undefined) {
    throw invalidField('/name', shapeMessages.ownHasNoName())
  }
}
