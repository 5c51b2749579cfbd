import type { Pool } from 'pg'

import type { Message } from '../../../pipelines/index.ts'
import { type Slot, slot, type SlotDelivery } from '../../resources/collection.ts'
import { selectionOf } from '../../resources/resource.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { type FileOrigin, openFile } from '../../stack/fill/content.ts'
import { targetColumns } from '../../stack/fill/target-columns.ts'
import { wordsOf } from '../shapes/template.ts'
import { judgeContent } from '../sources/check-source.ts'
import type { Checked, SayMessage } from '../sources/sources.ts'
import {
  acceptDelivery,
  orBlocked,
  type DeliveryParts,
  type SentDelivery,
} from './accept-delivery.ts'
import { askedOf } from './delivery-columns.ts'
import { findHolder, type Holder } from './holder.ts'
import { seeColumns, tellOfChanges } from './seen-columns.ts'
import { slotOf } from './slots.ts'
import type { Strangers } from './strangers.ts'
import { takeTry } from './tries.ts'

export interface DeliveriesParts extends DeliveryParts {
  /** Who calls is asked here, where long work takes nothing away. */
  readonly callers: Pool
  readonly strangers: Strangers
}

/** A column that is asked for. */
type AskedColumn = Omit<ShapeColumn, 'column' | 'aliases' | 'rules'> & {
  readonly required: boolean
  /** What is asked of its values, in words. */
  readonly rules: readonly (Message | string)[]
}

interface AskedOfHolder extends Holder {
  readonly columns: readonly AskedColumn[]
  readonly shapeVersion: number
  readonly slots: readonly Slot[]
}

interface CheckedDelivery extends SentDelivery {
  readonly back?: SayMessage | undefined
}

/** What the holder of a link can do. Whatever is not their own does not exist for them. */
export function createDeliveries(parts: DeliveriesParts) {
  const { pool, callers, strangers, deliveryUploads } = parts

  return {
    authenticate: async (secret: string, clientAddress: string): Promise<Holder> =>
      (await findHolder(callers, secret)) ?? strangers.refuse(clientAddress),

    async show(holder: Holder): Promise<AskedOfHolder> {
      const { shape } = await askedOf(pool, holder)
      await seeColumns(pool, holder, shape)
      const { rows: slots } = await pool.query<Slot>(
        `select ${selectionOf(slot, 'sl')} from collection_slots sl
         where sl.sender_id = $1 order by sl.period_id, sl.id`,
        [holder.senderId],
      )
      const columns = shape.columns.map(askedColumn)
      return { ...holder, columns, shapeVersion: shape.version, slots }
    },

    /** For a file to fill in. */
    shape: async (holder: Holder): Promise<FileShape> => (await askedOf(pool, holder)).shape,

    /** Reads a whole file as it would be taken, and leaves nothing. */
    async check(
      holder: Holder,
      slotUuid: string,
      { sent, mapping, back }: CheckedDelivery,
    ): Promise<Checked> {
      const { uuid } = await slotOf(pool, holder, slotUuid)
      const { table, shape, expects } = await askedOf(pool, holder, mapping)
      await tellOfChanges(pool, holder, shape)
      await takeTry(pool, holder.senderId)
      const mode = { kind: 'append' as const, slot: uuid }
      const columns = await targetColumns(pool, table, mode, expects)
      const against = { enterpriseId: table.enterpriseId, into: { table, mode } }
      const judge = async (origin: FileOrigin, signal: AbortSignal) => {
        const content = await openFile(parts, origin)
        const control = { columns, key: null, signal }
        return judgeContent(parts, content, holder.options, control, { against, back }).catch(
          (error: unknown) => {
            throw orBlocked(error)
          },
        )
      }
      if ('incoming' in sent) {
        return judge({ kind: 'upload', incoming: sent.incoming }, sent.incoming.signal)
      }
      return deliveryUploads.during(holder, uuid, sent.uploadUuid, ({ file }) =>
        judge({ kind: 'stored', file }, sent.signal),
      )
    },

    accept: (holder: Holder, slotUuid: string, sent: SentDelivery): Promise<SlotDelivery> =>
      acceptDelivery(parts, holder, slotUuid, sent),
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>

function askedColumn({ aliases: _aliases, column: _column, rules, ...shown }: ShapeColumn) {
  return {
    ...shown,
    required: rules.some(({ required }) => required === true),
    rules: rules.map((rule) => rule.message ?? wordsOf(rule)),
  }
}
