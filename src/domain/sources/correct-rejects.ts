import type { ClientBase, Pool } from 'pg'

import type { IngestOptions, RecordSource, Warning } from '../../../pipelines/index.ts'
import { type Content, openFile } from '../../stack/fill/content.ts'
import { asks, fill, recordRows } from '../../stack/fill/fill.ts'
import { withTransaction } from '../../db/transaction.ts'
import { loadMessages } from '../../stack/load-messages.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import { runLoad, stageRows, type Work } from '../../stack/fill/run-load.ts'
import { markCorrected } from '../../stack/fill/rejects.ts'
import { takenAs } from '../../stack/table/stored-column.ts'
import { readStored, type StoredFile } from '../uploads/read-while-storing.ts'
import { Corrections, correctedRecords } from './corrected-records.ts'
import { expectColumns } from './expect-columns.ts'
import { keyOf, addedHeaders } from './read-rejects.ts'
import type { Source } from './source.ts'
import type { SourcesParts, SentCorrections, Finders, Reloaded } from './sources.ts'
import type { Actor } from '../actor.ts'

/**
 * Adds corrected rows to those that were loaded; a row that is rejected again replaces its earlier
 * reject.
 */
export function correctRejects(
  parts: SourcesParts,
  { find, findLoad }: Pick<Finders, 'find' | 'findLoad'>,
) {
  const { pool, leases } = parts

  return async (
    actor: Actor,
    uuid: string,
    given: SentCorrections,
    work: Work,
  ): Promise<Reloaded> => {
    const { tableId } = await find(actor, uuid)
    const done = await leases.during(tableId, work.jobUuid, async (lease) => {
      const content = await openFile(parts, given.origin)
      try {
        // Read again under the lease, since another load may have changed everything before it was
        // taken.
        const source = await find(actor, uuid)
        const file = await storedFile(content, work.signal)
        const taken = await takenBefore(pool, source, file, given)
        if (taken !== null) {
          await leases.giveBack(lease)
          await content.discard(null)
          return { report: taken, staged: null }
        }
        const corrected = await openCorrected(parts, source, file, work.signal)
        const request = {
          actor,
          lease,
          table: await readTable(pool, tableId),
          kind: 'rejects' as const,
          mode:
            given.key === undefined
              ? { kind: 'append' as const }
              : { kind: 'upsert' as const, key: given.key },
          options: corrected.options,
          origin: { kind: 'upload' as const },
          content: { ...content, source: corrected.records },
          expects: await expectColumns(parts, source, given),
          publishes: true,
        }
        const loaded = await runLoad(parts, request, work, async (load) => {
          await using filled = await fill(parts, load, work)
          const isAsking = asks(filled.rows.mapping)
          await filled.transaction(async (tx) => {
            const rows = await recordRows(tx, parts, load, filled, corrected.warnings())
            await corrected.mark(tx, rows.loadId)
            if (isAsking) await stageRows(tx, parts, load)
            else await publishRows(tx, parts, load, rows)
            await work.seal(tx, load.table.enterpriseId)
          })
          return { isPublished: !isAsking }
        })
        return { report: null, staged: loaded.isPublished ? null : loaded.uuid }
      } catch (error) {
        await content.discard(error)
        throw content.failure() ?? error
      }
    })
    const { report, staged } = done
    if (staged !== null) return { kind: 'staged', load: await findLoad(actor, uuid, staged) }
    const source = await find(actor, uuid)
    return { kind: 'published', source: report === null ? source : { ...source, report } }
  }
}

/** The rows of a corrected file, and what they amount to once they have been read. */
interface Corrected {
  readonly records: RecordSource
  readonly options: IngestOptions
  warnings(): readonly Warning[]
  /** Marks the rejects that they correct. */
  mark(tx: ClientBase, loadId: number): Promise<void>
}

/** Under the lease of the table. */
export async function openCorrected(
  { pool, store, ingest }: SourcesParts,
  source: Source,
  file: StoredFile,
  signal: AbortSignal,
): Promise<Corrected> {
  const corrections = await withTransaction(pool, (client) =>
    Corrections.read(client, keyOf(source)),
  )
  const { records, namesRejects } = await correctedRecords(
    ingest,
    readStored(store, file),
    addedHeaders(source),
    corrections,
    signal,
  )
  return {
    records,
    options: optionsFor(source, records),
    warnings: () => leftOutWarning(corrections),
    mark: (tx, loadId) =>
      markCorrected(tx, keyOf(source), loadId, namesRejects ? corrections.sent() : null),
  }
}

/**
 * If the same bytes were already sent and their rows are still shown: the result of that time.
 * Sending them again changes nothing.
 */
async function takenBefore(
  pool: Pool,
  { tableId }: Source,
  { sha256 }: StoredFile,
  { key }: SentCorrections,
): Promise<object | null> {
  const { rows } = await pool.query<{ report: object }>(
    `select report || jsonb_build_object('drift', drift) as report from loads
     where table_id = $1 and kind = 'rejects' and sha256 = $2 and state = 'current'
       and key_column is not distinct from $3
     order by number limit 1`,
    [tableId, sha256, key ?? null],
  )
  return rows[0]?.report ?? null
}

function leftOutWarning({ leftOut }: Corrections): readonly Warning[] {
  if (leftOut === 0) return []
  return [{ code: 'corrections-left-out', message: loadMessages.leftOut({ count: leftOut }) }]
}

/** A corrected file is small, so it is stored first and looked at before it is loaded. */
async function storedFile(content: Content, signal: AbortSignal): Promise<StoredFile> {
  if (content.source.kind === 'bytes' && content.source.path === undefined) {
    const unread = await content.source.open(signal)
    unread.resume()
  }
  const file = await content.stored()
  if (file === null) throw new Error('An uploaded file is always stored')
  return file
}

/**
 * Types and formats are those of the table; the layout of the first file says nothing about this
 * one.
 */
function optionsFor({ columns, options }: Source, records: RecordSource): IngestOptions {
  const { nullValues, datePlaceholders, timezone, decimal } = options
  const sent = new Set(records.columns.map(({ label }) => label))
  return {
    columns: columns.filter(({ name }) => sent.has(name)).map(takenAs),
    ...(nullValues !== undefined && { nullValues }),
    ...(datePlaceholders !== undefined && { datePlaceholders }),
    ...(timezone !== undefined && { timezone }),
    ...(decimal !== undefined && { decimal }),
    onInvalid: 'skip',
  }
}
