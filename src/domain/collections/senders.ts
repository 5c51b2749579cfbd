import type { ClientBase } from 'pg'

import { foldName } from '../../../pipelines/index.ts'
import { type FieldError, invalidField, invalidFields } from '../../errors/index.ts'
import type { Collection, Slot } from '../../resources/collection.ts'
import { isAddress } from '../../notifications/compose-mail.ts'
import { collectionMessages } from './collection-messages.ts'
import { makeSecrets } from './links.ts'
import { inviteSenders } from './mails.ts'

export const MOST_SENDERS = 10_000
/** Senders by periods. */
const MOST_SLOTS = 100_000
const MOST_ERRORS = 100

type Sender = Slot['sender']

export type NewSender = Omit<Sender, 'uuid' | 'language'> & {
  readonly language?: Sender['language'] | undefined
}

/** A secret is known here alone, and goes to whoever asked for it. */
export interface MadeLink {
  readonly sender: Sender
  readonly secret: string
}

type Of = Pick<Collection, 'id' | 'enterpriseId'>

/** Adds senders, each with a slot in every period and with a link. */
export async function addSenders(
  client: ClientBase,
  of: Of,
  given: readonly NewSender[],
  language: Sender['language'],
): Promise<MadeLink[]> {
  const senders = given.map((sender) => ({
    key: sender.key.trim(),
    folded: foldName(sender.key),
    name: sender.name.trim(),
    email: sender.email.trim().toLowerCase(),
    language: sender.language ?? language,
  }))
  await refuseFlaws(client, of, senders)
  const { rows } = await client.query<Sender & { readonly id: number }>(
    `insert into collection_senders (collection_id, enterprise_id, key, folded_key, name, email, language)
     select $1, $2, s.key, s.folded, s.name, s.email, s.language
     from rows from (jsonb_to_recordset($3::jsonb)
       as (key text, folded text, name text, email text, language text)) with ordinality
       as s (key, folded, name, email, language, place)
     order by s.place
     returning id, uuid, key, name, email, language`,
    [of.id, of.enterpriseId, JSON.stringify(senders)],
  )
  await fillSlots(client, of)
  const ids = rows.map(({ id }) => id)
  const secrets = await makeSecrets(client, ids)
  await inviteSenders(client, ids)
  return rows.map(({ id: _id, ...sender }, at) => ({ sender, secret: secrets[at]! }))
}

interface CheckedSender {
  readonly key: string
  readonly folded: string
  readonly email: string
}

async function refuseFlaws(
  client: ClientBase,
  { id }: Of,
  senders: readonly CheckedSender[],
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    'select key from collection_senders where collection_id = $1',
    [id],
  )
  if (rows.length + senders.length > MOST_SENDERS) {
    throw invalidField('/senders', collectionMessages.manySenders({ most: MOST_SENDERS }))
  }
  // What an earlier version has folded may be folded otherwise now.
  const known = new Map(rows.map(({ key }) => [foldName(key), key]))
  const errors: FieldError[] = []
  for (const [at, { key, folded, email }] of senders.entries()) {
    const path = `/senders/${at}`
    const other = known.get(folded)
    if (folded === '') {
      errors.push({ pointer: `${path}/key`, message: collectionMessages.blankKey() })
    } else if (other !== undefined) {
      const message =
        other === key
          ? collectionMessages.keyTwice({ key })
          : collectionMessages.keyAlike({ key, other })
      errors.push({ pointer: `${path}/key`, message })
    }
    known.set(folded, key)
    if (!isAddress(email)) {
      errors.push({ pointer: `${path}/email`, message: collectionMessages.notAnAddress() })
    }
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, MOST_ERRORS))
}

/** Adds periods; with the first ones, what was without one goes, unless something came there. */
export async function addPeriods(
  client: ClientBase,
  of: Of,
  given: readonly string[],
): Promise<void> {
  const labels = given.map((label) => label.trim())
  const { rows } = await client.query<{ label: string }>(
    'select label from collection_periods where collection_id = $1 and label is not null',
    [of.id],
  )
  const known = new Set(rows.map(({ label }) => foldName(label)))
  const errors: FieldError[] = []
  for (const [at, label] of labels.entries()) {
    const folded = foldName(label)
    if (known.has(folded) || folded === '') {
      const message =
        folded === '' ? collectionMessages.blankKey() : collectionMessages.periodTwice({ label })
      errors.push({ pointer: `/periods/${at}`, message })
    }
    known.add(folded)
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, MOST_ERRORS))
  await client.query(
    `delete from collection_periods p
     where p.collection_id = $1 and p.label is null and not exists (
       select from collection_slots sl join collection_deliveries d on d.slot_id = sl.id
       where sl.period_id = p.id)`,
    [of.id],
  )
  await client.query(
    `insert into collection_periods (collection_id, enterprise_id, label, folded_label)
     select $1, $2, p.label, p.folded
     from unnest($3::text[], $4::text[]) with ordinality as p (label, folded, place) order by p.place`,
    [of.id, of.enterpriseId, labels, labels.map(foldName)],
  )
  await fillSlots(client, of)
}

/** Of a collection without periods. */
export const addOnlyPeriod = (client: ClientBase, { id, enterpriseId }: Of) =>
  client.query(
    `insert into collection_periods (collection_id, enterprise_id, label, folded_label)
     values ($1, $2, null, '')`,
    [id, enterpriseId],
  )

/** Each sender has a slot in each period. */
async function fillSlots(client: ClientBase, { id, enterpriseId }: Of): Promise<void> {
  const { rows } = await client.query<{ senders: number; periods: number }>(
    `select (select count(*) from collection_senders where collection_id = $1) as senders,
            (select count(*) from collection_periods where collection_id = $1) as periods`,
    [id],
  )
  const { senders, periods } = rows[0]!
  if (senders * periods > MOST_SLOTS) {
    throw invalidField('', collectionMessages.manySlots({ most: MOST_SLOTS, senders, periods }))
  }
  await client.query(
    `insert into collection_slots (collection_id, enterprise_id, sender_id, period_id)
     select $1, $2, se.id, p.id
     from collection_senders se join collection_periods p on p.collection_id = se.collection_id
     where se.collection_id = $1
     order by se.id, p.id
     on conflict (sender_id, period_id) do nothing`,
    [id, enterpriseId],
  )
}
