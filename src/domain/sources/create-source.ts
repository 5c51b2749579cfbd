import { SourceTableAlreadyExistsException, invalidField } from '../../errors/index.ts'
import { Source as Row } from '../../models/source.ts'
import { type Actor, isSuperAdmin } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { isNameTaken } from '../tables/is-name-taken.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'
import type { NewRow } from './leases.ts'
import { loadIntoSource } from './load-into-source.ts'
import { type Content, contentOfOrigin, openFile } from './open-content.ts'
import { toSource } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { NewSource, SourceOrigin, Sources } from './sources.ts'

interface OpenedOrigin {
  readonly enterpriseId: number
  /** Opened when the name of the table is ours: what is refused before is never stored. */
  content(): Promise<Content>
  readonly about: Partial<NewRow>
}

export function createSource(parts: SourcesParts): Sources['create'] {
  const { knex, leases } = parts

  return async (actor, given, work) => {
    const opened = await openOrigin(parts, actor, given, work.signal)
    const { enterpriseId } = opened
    const name = given.name.trim()
    const tableName = given.tableName.trim()
    const row: NewRow = {
      enterprise_id: enterpriseId,
      name,
      table_name: tableName,
      source: given.origin.kind === 'api' ? 'api' : 'file',
      created_by: actor.id,
      ...opened.about,
    }
    const lease = await leases.reserve(row, work.jobUuid)
    const content = await refuseTaken(parts, { schema: schemaOf(enterpriseId), table: tableName })
      .then(() => opened.content())
      .catch(async (error: unknown) => {
        await leases.giveBack(lease)
        throw error
      })
    await loadIntoSource(
      parts,
      actor,
      {
        lease,
        enterpriseId,
        tableName,
        kind: 'creation',
        mode: { kind: 'replace' },
        options: given.options,
        content,
        before: null,
        replacesRejects: false,
      },
      work,
    )
    return toSource(await Row.query(knex).foundBefore(lease.sourceId).first().throwIfNotFound())
  }
}

/** What others have made in the schema is theirs: a load would put its rows in the place of it. */
async function refuseTaken({ pool }: SourcesParts, name: TableName): Promise<void> {
  if (!(await isNameTaken(pool, name))) return
  throw new SourceTableAlreadyExistsException(
    `The schema «${name.schema}» has a «${name.table}» already, which belongs to no source`,
  )
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
    return { enterpriseId, content: () => openFile(parts, origin), about: {} }
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
    return { enterpriseId, content, about: aboutApi(origin, opened.title) }
  }
  const enterpriseId =
    isSuperAdmin(actor) && named === undefined && opened.enterpriseId !== null
      ? opened.enterpriseId
      : (named ?? (await chooseEnterprise(knex, actor, undefined)))
  return {
    enterpriseId,
    content,
    about: { document_uuid: origin.documentUuid, filename: opened.title },
  }
}

function aboutApi(
  { connectionUuid, resourceType, resourceUuid, title }: SourceOrigin & { kind: 'api' },
  remoteTitle: string,
): Partial<NewRow> {
  const label = title?.trim() || remoteTitle
  return {
    connection_uuid: connectionUuid,
    api_resource_type: resourceType,
    ...(resourceType === 'form'
      ? { form_uuid: resourceUuid, form_title: label }
      : { card_uuid: resourceUuid, card_title: label }),
  }
}

function refuseAnother(given: number | undefined, own: number): void {
  if (given === undefined || given === own) return
  const message = 'is not the enterprise of the connection'
  throw invalidField('/enterpriseId', message)
}
