import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { named, nullable, spoken, strictObject, timestamp, uuid } from './schema.ts'

/*
 * The words of collections.
 *
 * collection  what an enterprise asks many senders for: files of one source
 * sender      who is asked; known to the collection by a key that stands in the rows
 * period      for when; a collection without periods has one that has no label
 * slot        a sender in a period: the place of one file
 * delivery    a file that was sent into a slot, and what became of it
 * link        the address that lets a sender in, without an account; its secret is kept as a hash
 *
 * A slot holds one accepted delivery at most, whose load is shown in the table of the source. How the
 * next one takes its place, in one transaction, stands in `domain/collections/accept-delivery.ts`: it
 * gives the stack the load that the slot had before and the new one; signs the receipt
 * (`receipt` of a delivery); and tells the mails what happened (received, returned) by what it writes.
 * Invitations and reminders begin at the sender and the slot; each mail gets a link of its own when it
 * is composed, by `domain/collections/links.ts`.
 */

export const SLOT_STATES = ['awaited', 'refused', 'received', 'accepted'] as const
export type SlotState = (typeof SLOT_STATES)[number]

const DELIVERY_STATES = [
  'refused',
  'blocked',
  'received',
  'accepted',
  'replaced',
  'undone',
  'returned',
] as const

const SENDER_LANGUAGES = ['fr', 'en'] as const

/** How many days before the deadline. */
export const REMIND_PATTERN = '^[1-9][0-9]{0,2}d$'

const labelName = nullable(Type.String({ description: 'Name of the column' }))

const columnNamed = (row: string, column: string) => `(
  select c ->> 'name' from generated_tables t cross join lateral jsonb_array_elements(t.columns) c
  where t.id in (select s.table_id from sources s where s.id = ${row}.source_id)
    and c ->> 'column' = ${row}.${column})`

const countOf = (row: string, of: string) =>
  `(select count(*) from collection_slots sl where sl.collection_id = ${row}.id and ${of})`

/** Without a file by now, though the deadline has passed. */
const isOverdue = (slot: string, collection: string) =>
  `(${slot}.state in ('awaited', 'refused') and coalesce(${collection}.deadline < now(), false))`

export const collection = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    sourceUuid: uuid(),
    sourceName: Type.String(),
    enterpriseId: Type.Integer(),
    message: nullable(Type.String({ description: 'To the senders' })),
    deadline: nullable(timestamp()),
    closeAtDeadline: Type.Boolean({ description: 'True: nothing is taken after the deadline' }),
    approval: Type.Boolean({ description: 'True: a file waits until somebody has approved it' }),
    remind: Type.Array(Type.String({ pattern: REMIND_PATTERN }), {
      description: 'How long before the deadline senders are reminded: `7d` is seven days',
    }),
    labels: strictObject(
      { sender: labelName, period: labelName },
      { description: 'The columns that say of each row who sent it, and for which period' },
    ),
    periods: Type.Array(Type.String(), { description: 'In their order; empty: there are none' }),
    senderCount: Type.Integer({ minimum: 0 }),
    slots: strictObject(
      {
        awaited: Type.Integer({ minimum: 0 }),
        refused: Type.Integer({ minimum: 0 }),
        received: Type.Integer({ minimum: 0 }),
        accepted: Type.Integer({ minimum: 0 }),
        late: Type.Integer({
          minimum: 0,
          description: 'Of those that are awaited or refused: the deadline has passed',
        }),
      },
      { description: 'How many slots are in each state' },
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  {
    id: Type.Integer(),
    sourceId: Type.Integer(),
    tableId: Type.Integer(),
    /** Names in SQL. */
    senderColumn: nullable(Type.String()),
    periodColumn: nullable(Type.String()),
  },
  {
    sourceUuid: (row) => `(select s.uuid from sources s where s.id = ${row}.source_id)`,
    sourceName: (row) => `(select s.name from sources s where s.id = ${row}.source_id)`,
    tableId: (row) => `(select s.table_id from sources s where s.id = ${row}.source_id)`,
    labels: (row) => `jsonb_build_object(
      'sender', ${columnNamed(row, 'sender_column')}, 'period', ${columnNamed(row, 'period_column')})`,
    periods: (row) => `(
      select coalesce(jsonb_agg(p.label order by p.id), '[]') from collection_periods p
      where p.collection_id = ${row}.id and p.label is not null)`,
    senderCount: (row) =>
      `(select count(*) from collection_senders se where se.collection_id = ${row}.id)`,
    slots: (row) =>
      `jsonb_build_object(${SLOT_STATES.map(
        (state) => `'${state}', ${countOf(row, `sl.state = '${state}'`)}`,
      ).join(', ')}, 'late', ${countOf(row, isOverdue('sl', row))})`,
  },
)

export type Collection = EntityOf<typeof collection>

export const senderFields = {
  key: Type.String({ description: 'Stands in the rows; of a collection no two are alike' }),
  name: Type.String(),
  email: Type.String({ format: 'email' }),
  language: Type.Enum(SENDER_LANGUAGES, { description: 'Of what is written to them' }),
}

const senderSchema = named('CollectionSender', strictObject({ uuid: uuid(), ...senderFields }))

/** A file that was sent. */
export const delivery = resource(
  {
    uuid: uuid(),
    state: Type.Enum(DELIVERY_STATES, {
      description:
        '`received`: waits for approval; `accepted`: its rows are shown; `replaced` by a later one; ' +
        '`undone`: a rollback has taken its rows out, and another may show them again; `refused`: it is not ' +
        'as it has to be; `blocked`: the table could not take it, whatever is in it; `returned` by somebody',
    }),
    filename: Type.String(),
    sizeBytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String(),
    rows: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
    isLate: Type.Boolean({ description: 'It came after the deadline' }),
    loadUuid: nullable(uuid()),
    shapeVersion: nullable(Type.Integer()),
    reason: nullable(
      spoken('Why it was refused or blocked, or what was said when it was returned'),
    ),
    receipt: nullable(
      Type.String({ description: 'A compact JWS; null: the file is not accepted, or not yet' }),
    ),
    receivedAt: timestamp(),
  },
  { id: Type.Integer(), slotId: Type.Integer(), slot: uuid(), loadId: nullable(Type.Integer()) },
  {
    loadUuid: (row) => `(select l.uuid from loads l where l.id = ${row}.load_id)`,
    slot: (row) => `(select sl.uuid from collection_slots sl where sl.id = ${row}.slot_id)`,
  },
)

export type SlotDelivery = EntityOf<typeof delivery>

/** As it is shown at its slot, where it is JSON already. */
const deliverySchema = named(
  'Delivery',
  strictObject({
    ...delivery.shown,
    receivedAt: Type.String({ examples: ['2026-11-03T10:12:00.000Z'] }),
  }),
)

/** The newest first. */
const MOST_DELIVERIES = 20

/** Of the delivery that waits for approval, else of the accepted one. */
const held = (row: string, field: string) => `(
  select ${field} from collection_deliveries d left join loads l on l.id = d.load_id
  where d.slot_id = ${row}.id and d.state in ('received', 'accepted')
  order by d.id desc limit 1)`

/** An instant in JSON, as it is shown. */
const shownInstant = (at: string) =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const slot = resource(
  {
    uuid: uuid(),
    sender: senderSchema,
    period: nullable(Type.String()),
    state: Type.Enum(SLOT_STATES, {
      description:
        '`awaited`: nothing came, or it was returned; `refused`: what came is not as it has to be; ' +
        '`received`: it waits for approval; `accepted`: its rows are in the table',
    }),
    isLate: Type.Boolean({ description: 'It came after the deadline, or did not come by now' }),
    loadUuid: nullable(uuid('The load with its rows; null: it has none')),
    rows: nullable(Type.Integer({ minimum: 0 })),
    receivedAt: nullable(timestamp()),
    deliveries: Type.Array(deliverySchema, {
      description: `Everything that was sent, newest first; at most ${MOST_DELIVERIES}`,
    }),
    mailError: nullable(
      spoken('Why the last mail to the sender could not be sent; null: none has failed'),
    ),
    createdAt: timestamp(),
  },
  {
    id: Type.Integer(),
    senderId: Type.Integer(),
    periodId: Type.Integer(),
    collectionId: Type.Integer(),
    enterpriseId: Type.Integer(),
  },
  {
    sender: (row) => `(
      select jsonb_build_object('uuid', se.uuid, 'key', se.key, 'name', se.name, 'email', se.email,
        'language', se.language)
      from collection_senders se where se.id = ${row}.sender_id)`,
    period: (row) => `(select p.label from collection_periods p where p.id = ${row}.period_id)`,
    isLate: (row) => `coalesce(${held(row, 'd.is_late')}, (
      select ${isOverdue(row, 'c')} from collections c where c.id = ${row}.collection_id))`,
    loadUuid: (row) => held(row, 'l.uuid'),
    rows: (row) => held(row, 'd.rows'),
    receivedAt: (row) => held(row, 'd.received_at'),
    mailError: (row) => `(
      select m.error from collection_mails m where m.sender_id = ${row}.sender_id and m.error is not null
        and (m.delivery_id is null or m.delivery_id in (
          select d.id from collection_deliveries d where d.slot_id = ${row}.id))
      order by m.id desc limit 1)`,
    deliveries: (row) => `(
      select coalesce(jsonb_agg(jsonb_build_object(
          'uuid', d.uuid, 'state', d.state, 'filename', d.filename, 'sizeBytes', d.size_bytes,
          'sha256', d.sha256, 'rows', d.rows, 'rejected', d.rejected, 'isLate', d.is_late,
          'loadUuid', (select l.uuid from loads l where l.id = d.load_id),
          'shapeVersion', d.shape_version, 'reason', d.reason, 'receipt', d.receipt,
          'receivedAt', ${shownInstant('d.received_at')}) order by d.id desc), '[]')
      from (select * from collection_deliveries own where own.slot_id = ${row}.id
            order by own.id desc limit ${MOST_DELIVERIES}) d)`,
  },
)

export type Slot = EntityOf<typeof slot>
