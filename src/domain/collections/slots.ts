import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import type { StoredMessage } from '../../../pipelines/index.ts'
import { SlotNotFoundException } from '../../errors/index.ts'
import { type SlotDelivery, delivery } from '../../resources/collection.ts'
import { selectionOf } from '../../resources/resource.ts'
import { markGone } from '../../stack/keep/forget.ts'
import type { Answers } from '../shapes/expect.ts'
import type { Holder } from './holder.ts'
import { holdSender } from './links.ts'
import { tellOfDelivery } from './mails.ts'
import type { Receipts } from './receipts.ts'
import { settleStates } from './settle-slots.ts'

interface HeldSlot {
  readonly id: number
  readonly uuid: string
  readonly period: string | null
}

/** Those of others do not exist for the holder of a link. */
export async function slotOf(
  pool: Pool,
  { senderId }: Pick<Holder, 'senderId'>,
  uuid: string,
): Promise<HeldSlot> {
  const { rows } = await pool.query<HeldSlot>(
    `select sl.id, sl.uuid, p.label as period
     from collection_slots sl join collection_periods p on p.id = sl.period_id
     where sl.sender_id = $1 and sl.uuid = $2`,
    [senderId, uuid],
  )
  const [found] = rows
  if (found === undefined) throw new SlotNotFoundException()
  return found
}

const DELIVERY = selectionOf(delivery, 'd')

/** What the slot holds, if it is the same file, read in the same way, and its rows are still there. */
export async function acceptedNow(
  pool: Pool,
  slotId: number,
  sha256: string,
  mapping: Answers,
): Promise<SlotDelivery | null> {
  const { rows } = await pool.query<SlotDelivery>(
    `select ${DELIVERY} from collection_deliveries d join loads l on l.id = d.load_id
     where d.slot_id = $1 and d.sha256 = $2 and l.answers -> 'given' = $3::jsonb
       and (d.state, l.state) in (('accepted', 'current'), ('received', 'staged'))
     order by d.id desc limit 1`,
    [slotId, sha256, JSON.stringify(mapping)],
  )
  return rows[0] ?? null
}

/** A delivery has the uuid of its upload, so one whose answer was lost is answered the same again. */
export async function takenFrom(
  pool: Pool,
  slotId: number,
  uploadUuid: string,
): Promise<SlotDelivery | null> {
  const { rows } = await pool.query<SlotDelivery>(
    `select ${DELIVERY} from collection_deliveries d
     where d.slot_id = $1 and d.uuid = $2 and d.state <> 'returned'`,
    [slotId, uploadUuid],
  )
  return rows[0] ?? null
}

/** What waits for approval gives way to the next file: its load is dropped. */
export async function dropWaiting(client: ClientBase, slotId: number): Promise<void> {
  const { rows } = await client.query<{ loadId: number | null }>(
    `update collection_deliveries set state = 'replaced'
     where slot_id = $1 and state = 'received' returning load_id as "loadId"`,
    [slotId],
  )
  await markGone(
    client,
    rows.flatMap(({ loadId }) => loadId ?? []),
  )
}

interface NewDelivery extends Omit<
  SlotDelivery,
  'id' | 'uuid' | 'slotId' | 'slot' | 'loadUuid' | 'receipt' | 'receivedAt' | 'state' | 'reason'
> {
  readonly state: 'refused' | 'blocked' | 'received' | 'accepted'
  readonly slot: Pick<HeldSlot, 'id' | 'uuid'>
  /** Null: one is made. */
  readonly uuid: string | null
  readonly enterpriseId: number
  readonly reason: StoredMessage | null
}

interface SigningParts {
  readonly receipts: Pick<Receipts, 'sign'>
}

/** What is to be accepted gets its receipt; the slot holds it once its rows are shown. */
export async function recordDelivery(
  client: ClientBase,
  parts: SigningParts,
  given: NewDelivery,
): Promise<SlotDelivery> {
  const { slot, state } = given
  const isAccepted = state === 'accepted'
  // Nobody is bounded in sending again what the table cannot take, so the last one is enough.
  if (state === 'blocked') {
    await client.query(`delete from collection_deliveries where slot_id = $1 and state = $2`, [
      slot.id,
      state,
    ])
  }
  const { rows } = await client.query<SlotDelivery>(
    `insert into collection_deliveries as d
       (slot_id, enterprise_id, state, filename, size_bytes, sha256, rows, rejected, is_late,
        shape_version, load_id, reason, uuid)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, gen_random_uuid()))
     returning ${DELIVERY}`,
    [
      slot.id,
      given.enterpriseId,
      isAccepted ? 'received' : state,
      given.filename,
      given.sizeBytes,
      given.sha256,
      given.rows,
      given.rejected,
      given.isLate,
      given.shapeVersion,
      given.loadId,
      given.reason && JSON.stringify(given.reason),
      given.uuid,
    ],
  )
  const made = rows[0]!
  if (isAccepted) return { ...made, state, receipt: await giveReceipt(client, parts, made) }
  await client.query(
    `update collection_slots set state = $2
     where id = $1 and ($2 = 'received' or $2 = 'refused' and state = 'awaited')`,
    [slot.id, state],
  )
  return made
}

/** Of a delivery whose rows are shown in the same transaction. */
export async function giveReceipt(
  client: ClientBase,
  { receipts }: SigningParts,
  { id, ...of }: SlotDelivery,
): Promise<string> {
  const { slot, filename, sizeBytes, sha256, rows, rejected, receivedAt, shapeVersion } = of
  const receipt = await receipts.sign(client, {
    slot,
    filename,
    sizeBytes,
    sha256,
    rows,
    rejected,
    receivedAt: receivedAt.toISOString(),
    shapeVersion,
  })
  await client.query('update collection_deliveries set receipt = $2 where id = $1', [id, receipt])
  await tellOfDelivery(client, 'received', id)
  return receipt
}

/** Whether a staged load is for somebody to approve: of a sender who is gone, it is like any other. */
export async function waitsInSlot(client: Queries, loadId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from collection_deliveries where load_id = $1 and state = 'received'`,
    [loadId],
  )
  return rowCount === 1
}

/** What a slot holds, and what waits there, the latest first. */
export async function heldIn(client: Queries, slotId: number): Promise<readonly SlotDelivery[]> {
  const { rows } = await client.query<SlotDelivery>(
    `select ${DELIVERY} from collection_deliveries d
     where d.slot_id = $1 and d.state in ('received', 'accepted') order by d.id desc`,
    [slotId],
  )
  return rows
}

/**
 * A load leaves, and the slot that held it awaits another; unless it holds one beside it. Runs in the
 * transaction in which the rows leave.
 */
export async function emptySlotOf(
  client: ClientBase,
  loadId: number,
  reason: StoredMessage | string | null,
): Promise<void> {
  const { rows: senders } = await client.query<{ id: number }>(
    `select sl.sender_id as id
     from collection_deliveries d join collection_slots sl on sl.id = d.slot_id where d.load_id = $1`,
    [loadId],
  )
  const [sender] = senders
  if (sender === undefined || !(await holdSender(client, sender.id))) return
  const { rows } = await client.query<{ slotId: number }>(
    `update collection_deliveries set state = 'returned', reason = $2
     where load_id = $1 and state in ('received', 'accepted') returning slot_id as "slotId"`,
    [loadId, reason === null ? null : JSON.stringify(reason)],
  )
  const [emptied] = rows
  if (emptied === undefined) return
  const { slotId } = emptied
  await settleStates(client, [slotId])
  // Of a file that waited beside an accepted one, the sender is told once for both.
  if (reason === null || (await heldIn(client, slotId)).length > 0) return
  const { rows: returned } = await client.query<{ id: number }>(
    `select id from collection_deliveries
     where slot_id = $1 and state = 'returned' order by id desc limit 1`,
    [slotId],
  )
  await tellOfDelivery(client, 'returned', returned[0]!.id)
}
