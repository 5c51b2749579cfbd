import type { Knex } from 'knex'

import { type Message, type UnknownPolicy, type MissingPolicy } from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import type { Alongside } from '../../resources/alongside.ts'
import type { Shape } from '../../resources/shape.ts'
import type { Actor } from '../actor.ts'
import { columnsGiven, type GivenColumn } from './shape-columns.ts'
import { shapeMessages } from './shape-messages.ts'
import { createShapeRecords, refuseNameOfOwn } from './shape-records.ts'
import { fromTableSchema } from './table-schema.ts'

/** How a shape is to be made: from one of the three. */
export interface GivenShape {
  readonly name: string
  readonly columns?: readonly GivenColumn[] | undefined
  /** Uuid of a source. */
  readonly fromSource?: string | undefined
  readonly tableSchema?: Readonly<Record<string, unknown>> | undefined
  readonly unknown?: UnknownPolicy | undefined
  readonly missing?: MissingPolicy | undefined
  readonly left?: readonly string[] | undefined
  readonly rules?: readonly unknown[] | undefined
  readonly enterpriseId?: number | undefined
}

export type GivenChange = Partial<
  Pick<GivenShape, 'name' | 'columns' | 'unknown' | 'missing' | 'left' | 'rules'>
>

/** A shape, and what could not be taken into it. */
export interface MadeShape extends Shape {
  readonly warnings: readonly Message[]
}

interface Origin extends Partial<Pick<Shape, 'unknown' | 'missing' | 'left'>> {
  readonly columns: readonly GivenColumn[]
  readonly enterpriseId: number
  readonly warnings: readonly Message[]
}

/** What files look like. A shape that the actor may not see is a ShapeNotFoundException. */
export function createShapes({ knex }: { readonly knex: Knex }) {
  const records = createShapeRecords({ knex })

  return {
    find: records.find,
    list: records.list,
    remove: records.remove,
    ofSource: records.ofSource,

    async create(
      actor: Actor,
      given: GivenShape,
      alongside?: Alongside<MadeShape>,
    ): Promise<MadeShape> {
      refuseRules(given.rules)
      const { columns, warnings, ...origin } = await originOf(actor, given)
      const { name, unknown, missing, left } = given
      const shape = {
        ...origin,
        name,
        ...columnsGiven(columns, null),
        ...(unknown && { unknown }),
        ...(missing && { missing }),
        ...(left && { left }),
      }
      const made = await records.create(actor, shape, async (client, found) =>
        alongside?.(client, { ...found, warnings }),
      )
      return { ...made, warnings }
    },

    /** `tags`: those that the actor has seen; null: whatever it is by now. */
    async change(
      actor: Actor,
      uuid: string,
      given: GivenChange,
      tags: readonly string[] | null,
    ): Promise<Shape> {
      refuseRules(given.rules)
      await knex.transaction(async (trx) => {
        const found = await records.findForChange(trx, actor, uuid, tags)
        refuseNameOfOwn(found, given.name)
        const { columns, ...more } = given
        await records.write(trx, found, {
          ...more,
          ...(columns && columnsGiven(columns, found)),
        })
      })
      return records.find(actor, uuid)
    },
  }

  async function originOf(actor: Actor, given: GivenShape): Promise<Origin> {
    const { columns, fromSource, tableSchema } = given
    const origins = [columns, fromSource, tableSchema].filter((origin) => origin !== undefined)
    if (origins.length !== 1) throw invalidField('', shapeMessages.oneOrigin())
    if (fromSource !== undefined) {
      const found = await records.ofSource(actor, fromSource)
      const { enterpriseId, unknown, missing, left } = found
      if (given.enterpriseId !== undefined && given.enterpriseId !== enterpriseId) {
        throw invalidField('/enterpriseId', shapeMessages.enterpriseOfSource())
      }
      return { columns: found.columns, enterpriseId, unknown, missing, left, warnings: [] }
    }
    const enterpriseId = await records.chooseEnterprise(actor, given.enterpriseId)
    if (tableSchema !== undefined) return { ...fromTableSchema(tableSchema), enterpriseId }
    return { columns: columns!, enterpriseId, warnings: [] }
  }
}

export type Shapes = ReturnType<typeof createShapes>

function refuseRules(rules: readonly unknown[] = []): void {
  if (rules.length > 0) throw invalidField('/rules', shapeMessages.rulesNotYet())
}
