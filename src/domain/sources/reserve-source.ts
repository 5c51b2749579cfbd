import type { ClientBase, Pool } from 'pg'

import type { ResourceType } from '../../connectors/connector.ts'
import {
  ForeignKeyViolationError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { ShapeNotFoundException, SourceTableAlreadyExistsException } from '../../errors/index.ts'
import type { SourceKind } from '../../resources/source.ts'
import type { Lease, Leases } from '../../stack/leases.ts'
import { sourceMessages } from './source-messages.ts'

/** A source that is about to be loaded for the first time. */
interface NewSourceRow {
  readonly enterpriseId: number
  readonly name: string
  readonly tableName: string
  readonly source: SourceKind
  readonly createdBy: number
  readonly api: ApiFields | null
  /** Of a shape that is shared. */
  readonly shapeId: number | null
}

export interface ApiFields {
  readonly connectionUuid: string
  readonly resourceType: ResourceType
  readonly resourceUuid: string
  readonly title: string
}

interface ReserveParts {
  readonly pool: Pool
  readonly leases: Leases
}

interface Reserved {
  readonly uuid: string
  readonly lease: Lease
}

/** Reserves the table's name before anything is loaded: if two ask at once, one finds it taken. */
export async function reserveSource(
  { pool, leases }: ReserveParts,
  row: NewSourceRow,
  jobUuid: string,
): Promise<Reserved> {
  const first = await tryReserve(pool, leases, row, jobUuid)
  if (first !== null) return first
  // The name may be held by a killed process, or by an earlier run of this very job.
  await leases.sweep()
  await leases.forgetUnloaded(jobUuid)
  const second = await tryReserve(pool, leases, row, jobUuid)
  if (second !== null) return second
  throw tableTaken(row)
}

type NamedTable = Pick<NewSourceRow, 'enterpriseId' | 'tableName'>

/**
 * Makes the checks of `reserveSource` without reserving anything; whoever takes the name in
 * between makes that call fail.
 */
export async function refuseReserved(
  { pool, leases }: ReserveParts,
  table: NamedTable,
): Promise<void> {
  if (!(await isReserved(pool, table))) return
  await leases.sweep()
  if (await isReserved(pool, table)) throw tableTaken(table)
}

async function isReserved(pool: Pool, { enterpriseId, tableName }: NamedTable): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from generated_tables where enterprise_id = $1 and name = $2',
    [enterpriseId, tableName],
  )
  return rowCount === 1
}

function tableTaken({ tableName }: NamedTable) {
  return new SourceTableAlreadyExistsException(sourceMessages.tableTaken({ table: tableName }))
}

/** Null if the name is taken. */
async function tryReserve(
  pool: Pool,
  leases: Leases,
  row: NewSourceRow,
  jobUuid: string,
): Promise<Reserved | null> {
  const reserved: { current: Reserved | null } = { current: null }
  try {
    await withTransaction(pool, async (client) => {
      const lease = await leases.takeNew(client, row, jobUuid)
      reserved.current = { lease, uuid: await insertSource(client, row, lease) }
    })
    return reserved.current
  } catch (error) {
    const refusal = translateDatabaseError(error)
    if (refusal instanceof UniqueViolationError) return null
    // It was there when it was looked for.
    if (refusal instanceof ForeignKeyViolationError && refusal.constraint.includes('shape_id')) {
      throw new ShapeNotFoundException(undefined, { cause: error })
    }
    // The reservation may exist although the answer was lost; nobody else would ever free it.
    if (reserved.current !== null) await leases.giveBack(reserved.current.lease)
    throw error
  }
}

async function insertSource(
  client: ClientBase,
  { enterpriseId, name, source, createdBy, api, shapeId }: NewSourceRow,
  { tableId }: Lease,
): Promise<string> {
  const isForm = api?.resourceType === 'form'
  const isCard = api?.resourceType === 'card'
  const { rows } = await client.query<{ uuid: string }>(
    `with made as (
       insert into sources (enterprise_id, table_id, name, source, created_by, connection_uuid,
                            api_resource_type, form_uuid, form_title, card_uuid, card_title,
                            shape_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       returning id, uuid, enterprise_id, created_by),
     own_shape as (
       insert into shapes (enterprise_id, source_id, created_by)
       select enterprise_id, id, created_by from made)
     select uuid from made`,
    [
      enterpriseId,
      tableId,
      name,
      source,
      createdBy,
      api?.connectionUuid ?? null,
      api?.resourceType ?? null,
      isForm ? api.resourceUuid : null,
      isForm ? api.title : null,
      isCard ? api.resourceUuid : null,
      isCard ? api.title : null,
      shapeId,
    ],
  )
  return rows[0]!.uuid
}
