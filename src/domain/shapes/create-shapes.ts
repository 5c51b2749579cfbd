import { isDeepStrictEqual } from 'node:util'

import type { Knex } from 'knex'

import type { Message, MissingPolicy, RowRule, UnknownPolicy } from '../../../pipelines/index.ts'
import { invalidField, ShapeChangedException } from '../../errors/index.ts'
import { connectionOf } from '../../db/knex.ts'
import { SourceModel } from '../../models/source.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import type { FileShape } from '../../resources/shape.ts'
import type { SourceEntity } from '../../resources/source.ts'
import type { Actor } from '../actor.ts'
import {
  concernsTables,
  followShape,
  holdingTables,
  type TableParts,
  tablesWith,
} from './change-tables.ts'
import { columnsGiven, type GivenColumn } from './shape-columns.ts'
import { requireSeen, type SeenTags, tagOf, writeShape } from './shape-versions.ts'
import { shapeMessages } from './shape-messages.ts'
import { renamedRules, rowRulesGiven } from './shape-rules.ts'
import { createShapeRecords, refuseNameOfOwn } from './shape-records.ts'
import { FIELDS, fromTableSchema, RULES } from './table-schema.ts'

/** How a shape is to be made: from one of the three. */
interface GivenShape {
  readonly name: string
  readonly columns?: readonly GivenColumn[] | undefined
  /** Uuid of a source. */
  readonly fromSource?: string | undefined
  readonly tableSchema?: Readonly<Record<string, unknown>> | undefined
  readonly unknown?: UnknownPolicy | undefined
  readonly missing?: MissingPolicy | undefined
  readonly left?: readonly string[] | undefined
  readonly rules?: readonly RowRule[] | undefined
  readonly enterpriseId?: number | undefined
}

type GivenChange = Partial<
  Pick<GivenShape, 'name' | 'columns' | 'unknown' | 'missing' | 'left' | 'rules'>
>

/** A shape, and what could not be taken into it. */
interface MadeShape extends FileShape {
  readonly warnings: readonly Message[]
}

interface Origin extends Partial<Pick<FileShape, 'unknown' | 'missing' | 'left' | 'rules'>> {
  readonly columns: readonly GivenColumn[]
  readonly enterpriseId: number
  /** Where the columns and the rules of rows stand in what was sent. */
  readonly pointer?: string
  readonly rulesPointer?: string
  readonly warnings: readonly Message[]
}

/** Other sources have the shape than when their tables were asked for. */
class OtherTablesError extends Error {
  override readonly name = 'OtherTablesError'
}

/** What files look like. A shape that the actor may not see is a ShapeNotFoundException. */
export function createShapes({ knex, ...parts }: TableParts & { readonly knex: Knex }) {
  const records = createShapeRecords({ knex })

  return {
    find: records.find,
    list: records.list,
    remove: records.remove,
    ofSource: records.ofSource,
    findShared: records.findShared,

    async create(
      actor: Actor,
      given: GivenShape,
      alongside?: Alongside<MadeShape>,
    ): Promise<MadeShape> {
      const { columns, pointer, rulesPointer, warnings, ...origin } = await originOf(actor, given)
      const { name, unknown, missing, left } = given
      const made = columnsGiven(columns, null, pointer)
      const shape = {
        ...origin,
        name,
        ...made,
        rules: given.rules
          ? rowRulesGiven(given.rules, made.columns)
          : rowRulesGiven(origin.rules ?? [], made.columns, rulesPointer),
        ...(unknown && { unknown }),
        ...(missing && { missing }),
        ...(left && { left }),
      }
      const stored = await records.create(actor, shape, async (client, found) =>
        alongside?.(client, { ...found, warnings }),
      )
      return { ...stored, warnings }
    },

    change,

    /** The shape that a source has from now on: one that is shared, or, for null, its own. */
    async giveTo(
      actor: Actor,
      { id, tableId, enterpriseId }: Pick<SourceEntity, 'id' | 'tableId' | 'enterpriseId'>,
      shapeUuid: string | null,
    ): Promise<void> {
      await holdingTables(parts, [tableId], ([lease]) =>
        knex.transaction(async (trx) => {
          await trx.raw('set local statement_timeout = 0')
          const shared =
            shapeUuid === null
              ? null
              : await records.findShared(actor, shapeUuid, enterpriseId, trx)
          await SourceModel.query(trx)
            .foundBefore(id)
            .patch({ shape_id: shared?.id ?? null })
          const shape = shared ?? (await records.ownOf(trx, actor, id))
          const client = await connectionOf(trx)
          // Nothing leaves: what the shape does not name stays with the table.
          await followShape(client, parts, lease!, { before: shape, after: shape })
        }),
      )
    },
  }

  /** `tags`: those that the actor has seen; null: whatever it is by now. */
  async function change(
    actor: Actor,
    uuid: string,
    given: GivenChange,
    tags: SeenTags,
    record?: Recording,
  ): Promise<FileShape> {
    const seen = await records.find(actor, uuid)
    await requireSeen(parts.pool, seen, tags)
    refuseNameOfOwn(seen, given.name)
    const isWide = given.columns !== undefined && concernsTables(seen, given.columns)
    const tables = isWide ? await tablesWith(parts.pool, seen) : []
    try {
      await holdingTables(parts, tables, (held) =>
        knex.transaction(async (trx) => {
          await trx.raw('set local statement_timeout = 0')
          const found = await records.findForChange(trx, actor, uuid, [tagOf(seen)])
          const client = await connectionOf(trx)
          if (isWide && !isDeepStrictEqual(tables, await tablesWith(client, found))) {
            throw new OtherTablesError()
          }
          const { name, columns, unknown, missing, left } = given
          const next = columns && columnsGiven(columns, found)
          const now = next ?? found
          if (next) await records.requireLookUps(trx, actor, found.enterpriseId, next.columns)
          const kept = renamedRules(found.rules, found.columns, now.columns)
          await writeShape(client, found, {
            ...(name !== undefined && { name: name.trim() }),
            ...(unknown && { unknown }),
            ...(missing && { missing }),
            ...(left && { left }),
            ...next,
            rules: rowRulesGiven(given.rules ?? kept, now.columns),
          })
          for (const lease of held) {
            await followShape(client, parts, lease, { before: found, after: next! })
          }
          await record?.(client)
        }),
      )
    } catch (error) {
      // It has changed since it was read, and the tables to hold may be others now.
      const isOther = error instanceof ShapeChangedException && tags === null
      if (isOther || error instanceof OtherTablesError)
        return change(actor, uuid, given, tags, record)
      throw error
    }
    return records.find(actor, uuid)
  }

  async function originOf(actor: Actor, given: GivenShape): Promise<Origin> {
    const { columns, fromSource, tableSchema } = given
    const origins = [columns, fromSource, tableSchema].filter((origin) => origin !== undefined)
    if (origins.length !== 1) throw invalidField('', shapeMessages.oneOrigin())
    if (fromSource !== undefined) {
      const found = await records.ofSource(actor, fromSource)
      const { enterpriseId, unknown, missing, left, rules } = found
      if (given.enterpriseId !== undefined && given.enterpriseId !== enterpriseId) {
        throw invalidField('/enterpriseId', shapeMessages.enterpriseOfSource())
      }
      return { columns: found.columns, enterpriseId, unknown, missing, left, rules, warnings: [] }
    }
    const enterpriseId = await records.chooseEnterprise(actor, given.enterpriseId)
    if (tableSchema !== undefined)
      return {
        ...fromTableSchema(tableSchema),
        pointer: FIELDS,
        rulesPointer: RULES,
        enterpriseId,
      }
    return { columns: columns!, enterpriseId, warnings: [] }
  }
}

export type Shapes = ReturnType<typeof createShapes>
