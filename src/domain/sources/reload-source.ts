import { EngineError, type Mapping, type Warning } from '../../../pipelines/index.ts'
import {
  invalidField,
  ServiceUnavailableException,
  SourceOptionsInvalidException,
} from '../../errors/index.ts'
import { remediesOf } from '../../errors/to-problem.ts'
import type { Actor } from '../actor.ts'
import type { Origin } from '../ingest/ingest.ts'
import {
  type Content,
  contentOfKept,
  type FileOrigin,
  openFile,
  openOrigin,
} from '../../stack/fill/content.ts'
import { asks, fill, recordRows } from '../../stack/fill/fill.ts'
import { loadMessages } from '../../stack/load-messages.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import type { LoadOrigin } from '../../resources/load.ts'
import {
  recordRefused,
  type OpenLoad,
  runLoad,
  stageRows,
  type Work,
} from '../../stack/fill/run-load.ts'
import { refuseCollected } from '../collections/refuse-collected.ts'
import { expectColumns } from './expect-columns.ts'
import type { Source } from './source.ts'
import type { SourcesParts, Reload, Finders, Reloaded } from './sources.ts'
import { sourceMessages } from './source-messages.ts'

/** Loads next to the shown rows; after a failure everything is as before. */
export function reloadSource(
  parts: SourcesParts,
  { find, locate, findLoad }: Pick<Finders, 'find' | 'locate' | 'findLoad'>,
) {
  const { leases } = parts

  return async (actor: Actor, uuid: string, given: Reload, work: Work): Promise<Reloaded> => {
    const located = await locate(actor, uuid)
    refuseFileForApi(located, given)
    const kind = given.scheduled === undefined ? ('reload' as const) : ('schedule' as const)
    const loaded = await leases.during(located.tableId, work.jobUuid, async (lease) => {
      // Read under the lease, since another load may have changed the whole source before it was
      // taken.
      const source = await find(actor, uuid)
      if (given.mode.kind === 'replace') await refuseCollected(parts.pool, source.id)
      const expects = await expectColumns(parts, source, given)
      const opened = await open(parts, actor, source, given, work.signal).catch(
        async (error: unknown) => {
          const origin = loadOriginOf(given.origin ? null : originOf(source))
          const attempt = { actor, kind, mode: given.mode, options: given.options ?? {}, origin }
          const why: unknown = work.signal.aborted ? work.signal.reason : error
          await recordRefused(parts, lease, attempt, why)
          throw error
        },
      )
      const { mode, publishes } = given
      const request = { actor, lease, kind, mode, publishes, expects, ...opened }
      return runLoad(parts, request, work, async (load) => {
        await using filled = await fill(parts, load, work)
        const loss = tooManyLost(load, filled.rowCount, given)
        const isAsking = asks(filled.rows.mapping)
        const isPublished = publishes && loss === null && !isAsking
        const warnings = [
          ...(loss === null ? rowsLost(load, filled.rows.rows) : [loss]),
          ...(isAsking && given.scheduled !== undefined ? [waits(filled.rows.mapping)] : []),
        ]
        await filled.transaction(async (tx) => {
          const rows = await recordRows(tx, parts, load, filled, warnings)
          if (isPublished) await publishRows(tx, parts, load, rows)
          else await stageRows(tx, parts, load)
          await work.seal(tx, load.table.enterpriseId)
        })
        return { isPublished }
      }).catch((error: unknown) => {
        throw pointedAtFile(error, given)
      })
    })
    return loaded.isPublished
      ? { kind: 'published', source: await find(actor, uuid) }
      : { kind: 'staged', load: await findLoad(actor, uuid, loaded.uuid) }
  }
}

/** If a file has lost this many rows, something is probably wrong with it. */
function rowsLost({ kind, mode, table }: OpenLoad, after: number): Warning[] {
  const before = table.rowCount
  if (kind !== 'reload' || mode.kind !== 'replace' || after * 2 >= before) return []
  return [{ code: 'rows-lost', message: loadMessages.rowsLost({ before, after }) }]
}

/** Why the rows of a schedule's run stay staged although they were to be shown; null: they do not. */
function tooManyLost(
  { table: { rowCount: before }, publishes }: OpenLoad,
  after: number,
  { scheduled }: Reload,
): Warning | null {
  const most = scheduled?.maxRowsLostPercent ?? 100
  if (!publishes || (before - after) * 100 <= most * before) return null
  return { code: 'rows-lost', message: loadMessages.staysStaged({ before, after, most }) }
}

/** Nobody was there to answer when it ran. */
const waits = (mapping: Mapping | null): Warning => ({
  code: 'questions',
  message: loadMessages.asks({ count: mapping?.questions.length ?? 0 }),
})

/**
 * An earlier request named these columns, not this one: if the engine misses one, it is missing
 * from what was sent now.
 */
function pointedAtFile(error: unknown, { options, origin }: Reload): unknown {
  if (options !== undefined || !(error instanceof EngineError)) return error
  const { problem, text } = error
  if (problem.kind !== 'options' || !problem.pointer.startsWith('/columns/')) return error
  const pointer = origin === undefined ? '' : '/file'
  return new SourceOptionsInvalidException(text, {
    errors: [{ pointer, message: text }],
    members: remediesOf(error),
    cause: error,
  })
}

/** Makes the checks of a reload that need no reading of the data. */
export function admitReload(parts: SourcesParts, find: Finders['find']) {
  const { ingest, pool } = parts
  return async (actor: Actor, uuid: string, given: Reload): Promise<number> => {
    const source = await find(actor, uuid)
    refuseFileForApi(source, given)
    if (given.mode.kind === 'replace') await refuseCollected(pool, source.id)
    await expectColumns(parts, source, given)
    const origin = given.origin ? null : originOf(source)
    if (origin !== null) await ingest.locate(actor, origin)
    if (given.options !== undefined) ingest.checkOptions(given.options)
    return source.enterpriseId
  }
}

async function open(
  parts: SourcesParts,
  actor: Actor,
  source: Source,
  { origin: upload, options }: Reload,
  signal: AbortSignal,
) {
  const { content, origin } = await openContent(parts, actor, source, upload, signal)
  const table = await readTable(parts.pool, source.tableId)
  return { table, content, origin, options: options ?? source.options }
}

interface OpenedContent {
  readonly content: Content
  readonly origin: LoadOrigin
}

export async function openContent(
  parts: SourcesParts,
  actor: Actor,
  source: Source,
  upload: FileOrigin | undefined,
  signal: AbortSignal,
): Promise<OpenedContent> {
  if (upload) return { content: await openFile(parts, upload), origin: { kind: 'upload' } }
  const origin = originOf(source)
  if (origin) {
    return {
      content: await openOrigin(parts.ingest, actor, origin, signal),
      origin: loadOriginOf(origin),
    }
  }
  if (source.file) {
    return { content: contentOfKept(parts.store, source.file), origin: { kind: 'upload' } }
  }
  throw new ServiceUnavailableException(sourceMessages.fileNotKept())
}

/** Null: the source's own upload is read again. */
export function originOf(source: Source): Origin | null {
  const { connectionUuid, apiResourceType, formUuid, cardUuid, documentUuid } = source
  const resourceUuid = formUuid ?? cardUuid
  if (connectionUuid && apiResourceType && resourceUuid) {
    return { kind: 'api', connectionUuid, resourceType: apiResourceType, resourceUuid }
  }
  return documentUuid ? { kind: 'document', documentUuid } : null
}

function loadOriginOf(origin: Origin | null): LoadOrigin {
  if (origin === null) return { kind: 'upload' }
  return origin.kind === 'api' ? { kind: 'api' } : origin
}

function refuseFileForApi({ source }: Pick<Source, 'source'>, { origin }: Reload): void {
  if (origin && source === 'api') throw invalidField('/file', sourceMessages.noFileForApi())
}
