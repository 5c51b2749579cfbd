import { SourceTableAlreadyExistsException, invalidField } from '../../errors/index.ts'
import { type Actor, isSuperAdmin } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { type Content, contentOfOrigin, openFile } from '../loads/content.ts'
import { readTable } from '../loads/generated-table.ts'
import type { LoadOrigin } from '../../resources/load.ts'
import { runLoad } from '../loads/run-load.ts'
import { isNameTaken } from '../tables/is-name-taken.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'
import { type ApiFields, reserveSource } from './reserve-source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { NewSource, SourceOrigin, Sources } from './sources.ts'
import { touchSource } from './touch-source.ts'
import { sourceMessages } from './source-messages.ts'

interface OpenedOrigin {
  readonly enterpriseId: number
  /** Opened when the name of the table is ours: what is refused before is never stored. */
  content(): Promise<Content>
  readonly origin: LoadOrigin
  readonly api: ApiFields | null
}

export function createSource(parts: SourcesParts, find: Sources['find']): Sources['create'] {
  const { pool, leases } = parts

  return async (actor, given, work) => {
    const { enterpriseId, origin, api, ...opened } = await openOrigin(
      parts,
      actor,
      given,
      work.signal,
    )
    const row = {
      enterpriseId,
      name: given.name.trim(),
      tableName: given.tableName.trim(),
      source: given.origin.kind === 'api' ? ('api' as const) : ('file' as const),
      createdBy: actor.id,
      api,
    }
    const { lease, uuid } = await reserveSource(parts, row, work.jobUuid)
    await leases.orGiveBack(lease, async () => {
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
        publishes: true,
        record: touchSource(lease),
      }
      return runLoad(parts, request, work)
    })
    return find(actor, uuid)
  }
}

/** What others have made in the schema is theirs: a load would put its rows in the place of it. */
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
  if (origin.kind === 'upload' || origin.kind === 'stored') {
    const enterpriseId = await chooseEnterprise(knex, actor, given.enterpriseId)
    const content = () => openFile(parts, origin)
    return { enterpriseId, content, origin: { kind: 'upload' }, api: null }
  }
  // Whom it is for is checked first, and the same for every kind of origin.
  const named =
    given.enterpriseId === undefined
      ? undefined
      : await chooseEnterprise(knex, actor, given.enterpriseId)
  const opened = await ingest.open(actor, origin, signal)
  const content = async () => contentOfOrigin(opened, origin)
  if (origin.kind === 'api') {
    // A connection always has an enterprise.
    const enterpriseId = opened.enterpriseId!
    refuseAnother(named, enterpriseId)
    const api = apiFields(origin, opened.title)
    return { enterpriseId, content, origin: { kind: 'api' }, api }
  }
  const enterpriseId =
    isSuperAdmin(actor) && named === undefined && opened.enterpriseId !== null
      ? opened.enterpriseId
      : (named ?? (await chooseEnterprise(knex, actor, undefined)))
  return { enterpriseId, content, origin, api: null }
}

function apiFields(
  { connectionUuid, resourceType, resourceUuid, title }: SourceOrigin & { kind: 'api' },
  remoteTitle: string,
): ApiFields {
  return { connectionUuid, resourceType, resourceUuid, title: title?.trim() || remoteTitle }
}

function refuseAnother(given: number | undefined, own: number): void {
  if (given === undefined || given === own) return
  throw invalidField('/enterpriseId', sourceMessages.otherEnterprise())
}
