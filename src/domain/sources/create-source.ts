import type { ClientBase, Pool } from 'pg'

import {
  SourceTableAlreadyExistsException,
  invalidField,
  ShapeNotFoundException,
} from '../../errors/index.ts'
import { type Actor, isSuperAdmin } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import {
  type Content,
  contentOfOrigin,
  type FileOrigin,
  openFile,
} from '../../stack/fill/content.ts'
import { fill, recordRows } from '../../stack/fill/fill.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import type { LoadOrigin } from '../../resources/load.ts'
import { runLoad, type Work } from '../../stack/fill/run-load.ts'
import { isNameTaken } from '../../stack/table/catalogue.ts'
import type { TableName } from '../../../pipelines/index.ts'
import { schemaOf } from '../../stack/table/enterprise-schemas.ts'
import { type Expected, expected } from '../shapes/expect.ts'
import { refuseQuestions } from './expect-columns.ts'
import type { SourcesParts, ApiOrigin, NewSource, Finders } from './sources.ts'
import { sourceMessages } from './source-messages.ts'
import type { Source } from './source.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import {
  ForeignKeyViolationError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { SourceKind } from '../../resources/source.ts'
import type { Lease, Leases } from '../../stack/leases.ts'

interface OpenedOrigin {
  readonly enterpriseId: number
  /**
   * Called once the table's name is reserved, so that nothing is stored for a creation that is
   * refused earlier.
   */
  content(): Promise<Content>
  readonly origin: LoadOrigin
  readonly api: ApiFields | null
}

/** All or nothing: a failed creation leaves no source, no table and no object. */
export function createSource(parts: SourcesParts, find: Finders['find']) {
  const { pool, leases } = parts

  return async (actor: Actor, given: NewSource, work: Work): Promise<Source> => {
    const { enterpriseId, origin, api, ...opened } = await openOrigin(
      parts,
      actor,
      given,
      work.signal,
    )
    const expects = await sharedShape(parts, actor, given, enterpriseId)
    const row = {
      enterpriseId,
      name: given.name.trim(),
      tableName: given.tableName.trim(),
      source: given.origin.kind === 'api' ? ('api' as const) : ('file' as const),
      createdBy: actor.id,
      api,
      shapeId: expects?.shape.id ?? null,
    }
    const { lease, uuid } = await reserveSource(parts, row, work.jobUuid)
    try {
      await refuseTaken(parts, { schema: schemaOf(enterpriseId), table: row.tableName })
      const request = {
        actor,
        lease,
        table: await readTable(pool, lease.tableId),
        kind: 'creation' as const,
        mode: { kind: 'replace' as const },
        options: given.options,
        origin,
        content: await opened.content(),
        expects: expects && { ...expects, admit: refuseQuestions },
        publishes: true,
      }
      await runLoad(parts, request, work, async (load) => {
        await using filled = await fill(parts, load, work)
        await filled.transaction(async (tx) => {
          const rows = await recordRows(tx, parts, load, filled)
          await publishRows(tx, parts, load, rows)
          await work.seal(tx, load.table.enterpriseId, uuid)
        })
        return { isPublished: true }
      })
    } catch (error) {
      await leases.giveBack(lease)
      throw error
    }
    return find(actor, uuid)
  }
}

/** Makes the checks of a creation that need no reading of the data. */
export function admitCreation(parts: SourcesParts) {
  const { knex, ingest } = parts

  return async (actor: Actor, given: NewSource): Promise<number> => {
    const { origin, options } = given
    const { enterpriseId } = isFile(origin)
      ? { enterpriseId: await chooseEnterprise(knex, actor, given.enterpriseId) }
      : await placeOf(parts, actor, given, origin, () => ingest.locate(actor, origin))
    await sharedShape(parts, actor, given, enterpriseId)
    const tableName = given.tableName.trim()
    await refuseReserved(parts, { enterpriseId, tableName })
    await refuseTaken(parts, { schema: schemaOf(enterpriseId), table: tableName })
    ingest.checkOptions(options)
    return enterpriseId
  }
}

/** A shape of another enterprise is none, even for who sees both. */
async function sharedShape(
  { pool, shapes }: SourcesParts,
  actor: Actor,
  { shapeUuid, ...given }: NewSource,
  enterpriseId: number,
): Promise<Expected | null> {
  if (shapeUuid === undefined) {
    const { mapping, seen } = given
    if (mapping !== undefined) throw invalidField('/mapping', sourceMessages.mappingWithoutShape())
    if (seen) throw invalidField('/shapeUuid', sourceMessages.versionWithoutShape())
    return null
  }
  return expected(pool, await shapes.findShared(actor, shapeUuid, enterpriseId), given)
}

/** Tables that others created in the schema are theirs: a load would replace their rows. */
async function refuseTaken({ pool }: SourcesParts, name: TableName): Promise<void> {
  if (!(await isNameTaken(pool, name))) return
  throw new SourceTableAlreadyExistsException(sourceMessages.foreignTable(name))
}

async function openOrigin(
  parts: SourcesParts,
  actor: Actor,
  given: NewSource,
  signal: AbortSignal,
): Promise<OpenedOrigin> {
  const { knex, ingest } = parts
  const { origin } = given
  if (isFile(origin)) {
    const enterpriseId = await chooseEnterprise(knex, actor, given.enterpriseId)
    const content = () => openFile(parts, origin)
    return { enterpriseId, content, origin: { kind: 'upload' }, api: null }
  }
  const { found, enterpriseId } = await placeOf(parts, actor, given, origin, () =>
    ingest.open(actor, origin, signal),
  )
  const content = async () => contentOfOrigin(found, origin)
  if (origin.kind === 'document') return { enterpriseId, content, origin, api: null }
  return { enterpriseId, content, origin: { kind: 'api' }, api: apiFields(origin, found.title) }
}

type FoundOrigin = Exclude<NewSource['origin'], FileOrigin>

/** What to read, and the enterprise that the source will belong to. */
async function placeOf<Found extends { readonly enterpriseId: number | null }>(
  { knex }: SourcesParts,
  actor: Actor,
  given: NewSource,
  { kind }: FoundOrigin,
  look: () => Promise<Found>,
): Promise<{ readonly found: Found; readonly enterpriseId: number }> {
  // Rights are checked first, and in the same way for every kind of origin.
  const named =
    given.enterpriseId === undefined
      ? undefined
      : await chooseEnterprise(knex, actor, given.enterpriseId)
  const found = await look()
  if (kind === 'api') {
    // A connection always has an enterprise.
    const enterpriseId = found.enterpriseId!
    refuseAnother(named, enterpriseId)
    return { found, enterpriseId }
  }
  const enterpriseId =
    isSuperAdmin(actor) && named === undefined && found.enterpriseId !== null
      ? found.enterpriseId
      : (named ?? (await chooseEnterprise(knex, actor, undefined)))
  return { found, enterpriseId }
}

const isFile = (origin: NewSource['origin']): origin is FileOrigin =>
  origin.kind === 'upload' || origin.kind === 'stored'

function apiFields(
  { connectionUuid, resourceType, resourceUuid, title }: ApiOrigin,
  remoteTitle: string,
): ApiFields {
  return { connectionUuid, resourceType, resourceUuid, title: title?.trim() || remoteTitle }
}

function refuseAnother(given: number | undefined, own: number): void {
  if (given === undefined || given === own) return
  throw invalidField('/enterpriseId', sourceMessages.otherEnterprise())
}

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

interface ApiFields {
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
async function refuseReserved({ pool, leases }: ReserveParts, table: NamedTable): Promise<void> {
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
