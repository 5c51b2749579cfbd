import type { ClientBase, Pool } from 'pg'

import {
  type Catalogue,
  defineMessages,
  type Language,
  type StoredMessage,
} from '../../../pipelines/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import { collectionNotice } from '../../notifications/collection-notice.ts'
import { type Mailer, MailError } from '../../notifications/mailer.ts'
import type { Logger } from '../../observability/logger.ts'
import { addressOf, endLink, makeSecrets } from './links.ts'

export const mailMessages = defineMessages('collection-mail', {
  notSent: {
    en: 'A mail to this sender could not be sent. It is tried again.',
    fr: 'Un courriel à cet expéditeur n’a pas pu être envoyé. Un nouvel essai aura lieu.',
  },
  givenUp: {
    en: 'A mail to this sender could not be sent, and is not tried again. Check the address.',
    fr: 'Un courriel à cet expéditeur n’a pas pu être envoyé, et il n’y aura plus d’essai. Vérifiez l’adresse.',
  },
})

/** In the transaction that gives them their links; again, where a sender gets a new one. */
export const inviteSenders = (client: ClientBase, senderIds: readonly number[]) =>
  client.query(
    `insert into collection_mails (sender_id, kind) select id, 'invitation' from unnest($1::bigint[]) id
     on conflict do nothing`,
    [senderIds],
  )

/** In the transaction in which a file is taken, or returned with a message. */
export const tellOfDelivery = (
  client: ClientBase,
  kind: 'received' | 'returned',
  deliveryId: number,
) =>
  client.query(
    `insert into collection_mails (sender_id, kind, delivery_id)
     select sl.sender_id, $2, d.id
     from collection_deliveries d join collection_slots sl on sl.id = d.slot_id where d.id = $1`,
    [deliveryId, kind],
  )

/** Nobody is reminded more often. */
const MAY_BE_REMINDED = `coalesce(se.reminded_at <= now() - interval '1 day', true)`

/** False if the sender was reminded within a day. */
export async function remindSender(client: ClientBase, senderId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `with reminded as (
       update collection_senders se set reminded_at = now()
       where se.id = $1 and ${MAY_BE_REMINDED} returning se.id)
     insert into collection_mails (sender_id, kind) select id, 'reminder' from reminded`,
    [senderId],
  )
  return rowCount === 1
}

const IS_AWAITED = `exists (
  select from collection_slots sl
  where sl.sender_id = se.id and sl.state in ('awaited', 'refused'))`

const wasTold = (kind: 'reminder' | 'late', occasion: string): string => `exists (
  select from collection_mails m
  where m.sender_id = se.id and m.kind = '${kind}' and m.occasion = ${occasion})`

/** Whoever was told of nothing for as long is not told any more. */
const LATE_FOR = `interval '7 days'`

/** Of several reminders that have become due, the last one is sent; whoever came later was told of the deadline then. */
const REMIND = `
  with due as (
    select se.id, r.occasion
    from collections c
    cross join lateral (
      select max(c.deadline - make_interval(days => rtrim(ahead, 'd')::integer)) as occasion
      from jsonb_array_elements_text(c.remind) ahead
      where c.deadline - make_interval(days => rtrim(ahead, 'd')::integer) <= now()) r
    join collection_senders se on se.collection_id = c.id
    where c.deadline > now() and se.created_at < r.occasion
      and ${IS_AWAITED} and not ${wasTold('reminder', 'r.occasion')}),
  reminded as (
    update collection_senders se set reminded_at = now() from due
    where se.id = due.id and ${MAY_BE_REMINDED} returning se.id, due.occasion)
  insert into collection_mails (sender_id, kind, occasion)
  select id, 'reminder', occasion from reminded on conflict do nothing`

const TELL_LATE = `
  insert into collection_mails (sender_id, kind, occasion)
  select se.id, 'late', c.deadline
  from collections c join collection_senders se on se.collection_id = c.id
  where c.deadline <= now() and c.deadline > now() - ${LATE_FOR} and se.created_at < c.deadline
    and ${IS_AWAITED} and not ${wasTold('late', 'c.deadline')}
  on conflict do nothing`

/** Reminds senders before the deadline, and tells those who have missed it. */
export async function tellOfDeadlines(pool: Pool): Promise<void> {
  await pool.query(REMIND)
  await pool.query(TELL_LATE)
}

/** After the last of them two days have passed. */
const MOST_TRIES = 16

/** Whoever takes it has it alone until then, and so has the next one if that process dies. */
const TAKE_NEXT = `
  update collection_mails set tries = tries + 1,
    next_try_at = case when tries < ${MOST_TRIES - 1}
      then now() + least(power(2, tries), 360) * interval '1 minute' else 'infinity' end
  where id = (
    select id from collection_mails where sent_at is null and next_try_at <= now()
    order by next_try_at, id limit 1 for update skip locked)
  returning id`

const FIND = `
  select m.id, m.kind, m.tries, se.id as "senderId", se.name as "senderName", se.email, se.language,
         c.name as "collectionName", e.name as "enterpriseName", c.message, c.deadline,
         c.close_at_deadline and c.deadline < now() as "isClosed",
         ${IS_AWAITED} as "isAwaited",
         array(select p.label from collection_slots sl join collection_periods p on p.id = sl.period_id
               where sl.sender_id = se.id and sl.state in ('awaited', 'refused') and p.label is not null
               order by p.id) as periods,
         (select to_jsonb(told) from (
            select d.filename, p.label as period, d.rows, d.receipt, d.reason,
                   extract(epoch from d.received_at) * 1000 as "receivedAtMs"
            from collection_deliveries d join collection_slots sl on sl.id = d.slot_id
            join collection_periods p on p.id = sl.period_id where d.id = m.delivery_id) told
         ) as delivery
  from collection_mails m
  join collection_senders se on se.id = m.sender_id
  join collections c on c.id = se.collection_id
  join enterprises e on e.id = c.enterprise_id
  where m.id = $1`

interface DueMail {
  readonly id: number
  readonly kind: 'invitation' | 'reminder' | 'late' | 'received' | 'returned'
  readonly tries: number
  readonly senderId: number
  readonly senderName: string
  readonly email: string
  readonly language: Language
  readonly collectionName: string
  readonly enterpriseName: string
  readonly message: string | null
  readonly deadline: Date | null
  readonly isClosed: boolean
  readonly isAwaited: boolean
  readonly periods: readonly string[]
  readonly delivery: {
    readonly filename: string
    readonly period: string | null
    readonly rows: number
    readonly receipt: string | null
    readonly reason: string | StoredMessage | null
    readonly receivedAtMs: number
  } | null
}

interface SendingParts {
  readonly pool: Pool
  readonly mailer: Mailer
  readonly logger: Logger
  readonly catalogue: Catalogue
  /** Where the service is found by those who get a link. */
  readonly baseUrl: () => string
}

const MOST_AT_ONCE = 200

/**
 * Sends the mails that are due, each by one process. What stands in a mail is written now, its link made now, so no
 * secret waits anywhere. After one that cannot be sent, the others wait for the next turn, since often none could be;
 * unless it is its address that is not taken.
 */
export async function sendMails(parts: SendingParts): Promise<void> {
  const { pool } = parts
  for (let sent = 0; sent < MOST_AT_ONCE; sent++) {
    const { rows: taken } = await pool.query<{ id: number }>(TAKE_NEXT)
    const [next] = taken
    if (next === undefined) return
    const { rows } = await pool.query<DueMail>(FIND, [next.id])
    const [mail] = rows
    if (mail !== undefined && !(await send(parts, mail))) return
  }
}

async function send(parts: SendingParts, mail: DueMail): Promise<boolean> {
  const { pool, mailer, logger } = parts
  const isOfNothing = (mail.kind === 'reminder' || mail.kind === 'late') && !mail.isAwaited
  if (isOfNothing) {
    await pool.query('delete from collection_mails where id = $1', [mail.id])
    return true
  }
  const secret =
    mail.kind === 'received' || mail.isClosed
      ? null
      : await withTransaction(
          pool,
          async (client) => (await makeSecrets(client, [mail.senderId]))[0]!,
        )
  try {
    await mailer.send({ to: mail.email, ...write(parts, mail, secret) })
  } catch (error) {
    if (secret !== null) await endLink(pool, secret)
    if (!(error instanceof MailError)) throw error
    logger.warn({ err: error, mail: mail.kind }, 'a mail to a sender could not be sent')
    const why = mail.tries < MOST_TRIES ? mailMessages.notSent() : mailMessages.givenUp()
    await pool.query('update collection_mails set error = $2 where id = $1', [
      mail.id,
      JSON.stringify(why),
    ])
    return error.isOfRecipient
  }
  await pool.query(
    'update collection_mails set sent_at = clock_timestamp(), error = null where id = $1',
    [mail.id],
  )
  return true
}

function write({ catalogue, baseUrl }: SendingParts, mail: DueMail, secret: string | null) {
  const { senderName, collectionName, enterpriseName, message, periods, deadline, language } = mail
  const link = secret === null ? null : addressOf(baseUrl(), secret)
  const names = { senderName, collectionName, enterpriseName }
  if (mail.kind !== 'received' && mail.kind !== 'returned') {
    const told = { kind: mail.kind, message, periods, deadline, link }
    return collectionNotice({ ...names, told }, language)
  }
  const { filename, period, rows, receipt, reason, receivedAtMs } = mail.delivery!
  const file = { filename, period, receivedAt: new Date(receivedAtMs) }
  const told =
    mail.kind === 'received'
      ? { kind: mail.kind, file, rows, receipt: receipt ?? '' }
      : { kind: mail.kind, file, reason: catalogue.say(reason ?? '', language), link }
  return collectionNotice({ ...names, told }, language)
}
