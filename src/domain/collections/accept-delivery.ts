import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import {
  CollectionClosedException,
  DeliveryBlockedException,
  SourceColumnInUseException,
  SourceInUseException,
  UploadNotFoundException,
} from '../../errors/index.ts'
import type { Problem } from '../../errors/problem.ts'
import { toProblem } from '../../errors/to-problem.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { SlotDelivery } from '../../resources/collection.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { openFile } from '../../stack/fill/content.ts'
import { fill, recordRows } from '../../stack/fill/fill.ts'
import type { Lease } from '../../stack/leases.ts'
import { publishRows } from '../../stack/publish.ts'
import { type LoadsParts, runLoad, stageRows } from '../../stack/fill/run-load.ts'
import type { Answers } from '../shapes/expect.ts'
import { type IncomingFile, storeWhole, type StoredFile } from '../uploads/read-while-storing.ts'
import { admitDelivery, askedOf } from './delivery-columns.ts'
import { type Holder, holderOf } from './holder.ts'
import type { DeliveryUploads, HeldUpload } from './delivery-uploads.ts'
import { requireAlive } from './links.ts'
import { tellOfChanges } from './seen-columns.ts'
import { acceptedNow, dropWaiting, recordDelivery, slotOf, takenFrom } from './slots.ts'
import type { Receipts } from './receipts.ts'
import { takeTry } from './tries.ts'
import type { TurnsOfTables } from './turns-of-tables.ts'

export interface DeliveryParts extends LoadsParts {
  readonly store: ObjectStore
  readonly receipts: Pick<Receipts, 'sign'>
  readonly turns: TurnsOfTables
  readonly deliveryUploads: DeliveryUploads
}

/** A file that is coming, or one that came in parts before. */
type SentFile =
  | { readonly incoming: IncomingFile }
  | { readonly uploadUuid: string; readonly signal: AbortSignal }

export interface SentDelivery {
  readonly sent: SentFile
  readonly mapping?: Answers | undefined
  readonly record?: Recording | undefined
}

type Slot = Awaited<ReturnType<typeof slotOf>>

/**
 * Takes a file into a slot: its rows are shown, or wait for approval, together with its receipt; or
 * nothing is left of it but that it was refused. It is stored as a whole before the table is held,
 * so that nobody waits for a slow client.
 */
export async function acceptDelivery(
  parts: DeliveryParts,
  holder: Holder,
  slotUuid: string,
  { sent, mapping = {}, record }: SentDelivery,
): Promise<SlotDelivery> {
  const { pool } = parts
  const slot = await slotOf(pool, holder, slotUuid)
  const taken = 'uploadUuid' in sent ? await takenFrom(pool, slot.id, sent.uploadUuid) : null
  if (taken !== null) return taken
  refuseClosed(holder, new Date())
  await tellOfChanges(pool, holder, (await askedOf(pool, holder, mapping)).shape)
  const counted = await takeTry(pool, holder.senderId)
  let wasRead = false
  try {
    return await withFile(parts, { holder, slot, sent }, async (held, signal) => {
      const { file } = held
      // It may have come slowly. Whoever waits for the table from here on has sent it.
      const cameAt = new Date()
      try {
        const findSame = () => sameAsHeld(pool, { slot, held, mapping })
        const same =
          (await findSame()) ??
          (await parts.turns.take(holder.tableId, signal, async (lease) => {
            wasRead = true
            // It may have been sent twice at once.
            const meanwhile = await findSame()
            if (meanwhile === null) {
              return load(parts, { holder, slot, lease, held, cameAt, mapping, record, signal })
            }
            await parts.leases.giveBack(lease)
            return meanwhile
          }))
        wasRead = true
        return same
      } catch (error) {
        const problem = toProblem(error)
        const isBlocked = isOfTable(problem)
        wasRead = wasRead && isOfFile(problem)
        if (wasRead || isBlocked) {
          const state = isBlocked ? ('blocked' as const) : ('refused' as const)
          await recordNotTaken(parts, { holder, slot, file, cameAt, state, reason: problem.detail })
        }
        throw orBlocked(error)
      }
    })
  } finally {
    if (!wasRead) await counted.giveBack()
  }
}

/** What the slot holds, where that is this file. */
async function sameAsHeld(
  pool: Pool,
  { slot, held, mapping }: Pick<Taking, 'slot' | 'held' | 'mapping'>,
): Promise<SlotDelivery | null> {
  const same = await acceptedNow(pool, slot.id, held.file.sha256, mapping)
  if (same === null) return null
  await withTransaction(pool, (client) => held.end(client)).catch((error: unknown) => {
    // The same upload, sent twice at once, has ended with the first.
    if (!(error instanceof UploadNotFoundException)) throw error
  })
  return same
}

interface Arriving {
  readonly holder: Holder
  readonly slot: Slot
  readonly sent: SentFile
}

/** Work with a file that is stored as a whole. What came in parts is left for another try if it fails. */
async function withFile<R>(
  { uploads, store, deliveryUploads }: DeliveryParts,
  { holder, slot, sent }: Arriving,
  work: (held: HeldUpload, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  if ('incoming' in sent) {
    const file = await storeWhole(uploads, store, sent.incoming)
    try {
      return await work({ uuid: null, file, end: async () => undefined }, sent.incoming.signal)
    } finally {
      await uploads.discard(file)
    }
  }
  return deliveryUploads.during(holder, slot.uuid, sent.uploadUuid, async (held) => {
    const result = await work(held, sent.signal)
    await uploads.discard(held.file)
    return result
  })
}

function refuseClosed({ closeAtDeadline, deadline }: Holder, cameAt: Date): void {
  if (closeAtDeadline && isLate(deadline, cameAt)) throw new CollectionClosedException()
}

const isLate = (deadline: Date | null, cameAt: Date) => deadline !== null && deadline < cameAt

/** What the sender can do something about; anything else leaves the slot as it is. */
const OF_FILE: ReadonlySet<number> = new Set([400, 413, 415, 422])
const isOfFile = ({ status }: Problem): boolean => OF_FILE.has(status)

/** What others did to the table; its objects are named to whoever collects, at the slot. */
const OF_TABLE = [SourceInUseException, SourceColumnInUseException]
const isOfTable = (problem: Problem): boolean => OF_TABLE.some((kind) => problem instanceof kind)

/** What a holder is told in the place of that. */
export const orBlocked = (error: unknown): unknown =>
  isOfTable(toProblem(error)) ? new DeliveryBlockedException(undefined, { cause: error }) : error

interface Taking {
  readonly holder: Holder
  readonly slot: Slot
  readonly lease: Lease
  readonly held: HeldUpload
  readonly cameAt: Date
  readonly mapping: Answers
  readonly record: Recording | undefined
  readonly signal: AbortSignal
}

async function load(
  parts: DeliveryParts,
  { holder: caller, slot, lease, held, cameAt, mapping, record, signal }: Taking,
): Promise<SlotDelivery> {
  const { file } = held
  // Read under the lease: while the file came, another load may have changed the source, and
  // somebody what is asked of senders.
  const holder = await holderOf(parts.pool, caller.hash)
  refuseClosed(holder, cameAt)
  const { table, shape, expects } = await askedOf(parts.pool, holder, mapping)
  const { approval } = holder
  const work = { signal, report: () => undefined }
  const request = {
    actor: null,
    lease,
    table,
    kind: 'delivery' as const,
    mode: { kind: 'append' as const, slot: slot.uuid },
    options: holder.options,
    origin: { kind: 'upload' as const },
    content: await openFile(parts, { kind: 'stored', file }),
    expects: { ...expects, admit: admitDelivery(shape) },
    labels: labelsOf(holder, slot),
    publishes: !approval,
  }
  let delivery: SlotDelivery | null = null
  await runLoad(parts, request, work, async (open) => {
    await using filled = await fill(parts, open, work)
    await filled.transaction(async (tx) => {
      await requireAlive(tx, holder)
      await held.end(tx)
      const rows = await recordRows(tx, parts, open, filled)
      await dropWaiting(tx, slot.id)
      // Before the table is locked: readers would wait for the signature.
      delivery = await recordDelivery(tx, parts, {
        slot,
        uuid: held.uuid,
        enterpriseId: holder.enterpriseId,
        state: approval ? 'received' : 'accepted',
        filename: file.filename,
        sizeBytes: file.sizeBytes,
        sha256: file.sha256,
        rows: filled.rowCount,
        rejected: filled.result.counts.rejected,
        isLate: isLate(holder.deadline, cameAt),
        shapeVersion: expects.shape.version,
        loadId: rows.loadId,
        reason: null,
      })
      await record?.(tx)
      if (approval) await stageRows(tx, parts, open)
      else await publishRows(tx, parts, open, rows)
    })
    return { isPublished: !approval }
  })
  return delivery!
}

const labelsOf = ({ senderColumn, periodColumn, key }: Holder, { period }: Slot) => [
  ...(senderColumn === null ? [] : [{ column: senderColumn, value: key }]),
  ...(periodColumn === null ? [] : [{ column: periodColumn, value: period }]),
]

interface NotTaken {
  readonly holder: Holder
  readonly slot: Slot
  readonly file: StoredFile
  readonly cameAt: Date
  readonly state: 'refused' | 'blocked'
  readonly reason: Problem['detail']
}

function recordNotTaken(
  parts: DeliveryParts,
  { holder, slot, file, cameAt, state, reason }: NotTaken,
) {
  const { filename, sizeBytes, sha256 } = file
  const delivery = {
    slot,
    uuid: null,
    enterpriseId: holder.enterpriseId,
    state,
    filename,
    sizeBytes,
    sha256,
    rows: 0,
    rejected: 0,
    isLate: isLate(holder.deadline, cameAt),
    shapeVersion: null,
    loadId: null,
    reason,
  }
  return withTransaction(parts.pool, async (client) => {
    await requireAlive(client, holder)
    return recordDelivery(client, parts, delivery)
  })
}
