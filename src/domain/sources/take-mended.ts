import type { IngestOptions, RecordSource } from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import { readStored, type StoredFile } from '../uploads/read-while-storing.ts'
import { loadIntoSource } from './load-into-source.ts'
import { mendedRecords } from './mended-records.ts'
import { type Content, openFile } from './open-content.ts'
import { reasonHeader } from './rejects-csv.ts'
import type { Source } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Sources } from './sources.ts'

/** Mended rows join those that loaded; what is rejected again takes the place of all rejects. */
export function takeMended(parts: SourcesParts, find: Sources['find']): Sources['takeMended'] {
  const { leases, store, ingest } = parts

  return async (actor, uuid, given, work) => {
    const { id } = await find(actor, uuid)
    const lease = await leases.take(id, work.jobUuid)
    const content = await openFile(parts, given.origin).catch(async (error: unknown) => {
      await leases.giveBack(lease)
      throw error
    })
    try {
      // Again: another load may have changed all of it until the lease was taken.
      const source = await find(actor, uuid)
      const file = await storedFile(content, work.signal)
      const records = await mendedRecords(
        ingest.preview,
        readStored(store, file),
        reasonHeader(source),
        work.signal,
      )
      requireColumns(source, records)
      await loadIntoSource(
        parts,
        actor,
        {
          lease,
          enterpriseId: source.enterpriseId,
          tableName: source.tableName,
          kind: 'rejects',
          mode: given.key === undefined ? { kind: 'append' } : { kind: 'upsert', key: given.key },
          options: optionsFor(source, records),
          content: { ...content, source: records },
          before: source,
          replacesRejects: true,
        },
        work,
      )
    } catch (error) {
      await leases.giveBack(lease)
      await content.discard(error)
      throw content.failure() ?? error
    }
    return find(actor, uuid)
  }
}

/** A mended file is small: it is stored first, and looked at before it is loaded. */
async function storedFile(content: Content, signal: AbortSignal): Promise<StoredFile> {
  if (content.source.kind === 'bytes' && content.source.path === undefined) {
    const unread = await content.source.open(signal)
    unread.resume()
  }
  const file = await content.stored()
  if (file === null) throw new Error('An uploaded file is always stored')
  return file
}

function requireColumns({ columns }: Source, records: RecordSource): void {
  const known = new Set<string | null>(columns.map(({ name }) => name))
  const unknown = records.columns.map(({ label }) => label).filter((label) => !known.has(label))
  if (unknown.length === 0) return
  const quoted = (names: Iterable<string | null>) =>
    [...names].map((name) => `«${name}»`).join(', ')
  const message = `has columns that the source lacks: ${quoted(unknown)}; it has ${quoted(known)}`
  throw invalidField('/file', message)
}

/**
 * Types and formats are those that the table has; how the first file was laid out says nothing of
 * this one.
 */
function optionsFor({ columns, options }: Source, records: RecordSource): IngestOptions {
  const { nullValues, timezone, decimal } = options
  const sent = new Set(records.columns.map(({ label }) => label))
  return {
    columns: columns
      .filter(({ name }) => sent.has(name))
      .map(({ name, type, dateFormat }) => ({ name, type, ...(dateFormat && { dateFormat }) })),
    ...(nullValues !== undefined && { nullValues }),
    ...(timezone !== undefined && { timezone }),
    ...(decimal !== undefined && { decimal }),
    onInvalid: 'skip',
  }
}
