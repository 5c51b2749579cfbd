import type { Pool } from 'pg'

import type { IngestOptions, RecordSource, Warning } from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import { type Content, openFile } from '../../stack/content.ts'
import { fill, recordRows } from '../../stack/fill.ts'
import { loadMessages } from '../../stack/load-messages.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import { runLoad } from '../../stack/run-load.ts'
import { markCorrected } from '../../stack/rejects.ts'
import { takenAs } from '../../stack/stored-column.ts'
import { readStored, type StoredFile } from '../uploads/read-while-storing.ts'
import { Corrections } from './corrections.ts'
import { correctedRecords } from './corrected-records.ts'
import { expectColumns } from './expect-columns.ts'
import { keyOf } from './read-rejects.ts'
import { addedHeaders } from './reject-cells.ts'
import type { Source } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import { sourceMessages } from './source-messages.ts'
import type { SentCorrections, Sources } from './sources.ts'

/**
 * Adds corrected rows to those that were loaded; a row that is rejected again replaces its earlier
 * reject.
 */
export function correctRejects(
  parts: SourcesParts,
  find: Sources['find'],
): Sources['correctRejects'] {
  const { pool, leases, store, ingest } = parts

  return async (actor, uuid, given, work) => {
    const { tableId } = await find(actor, uuid)
    const earlier = await leases.during(tableId, work.jobUuid, async (lease) => {
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
          return taken
        }
        const corrections = await readCorrections(pool, source)
        const { records, namesRejects } = await correctedRecords(
          ingest,
          readStored(store, file),
          addedHeaders(source),
          corrections,
          work.signal,
        )
        requireColumns(source, records)
        const request = {
          actor,
          lease,
          table: await readTable(pool, tableId),
          kind: 'rejects' as const,
          mode:
            given.key === undefined
              ? { kind: 'append' as const }
              : { kind: 'upsert' as const, key: given.key },
          options: optionsFor(source, records),
          origin: { kind: 'upload' as const },
          content: { ...content, source: records },
          expects: await expectColumns(parts, source, { ...given, onQuestion: 'refuse' }),
          publishes: true,
        }
        await runLoad(parts, request, work, async (load) => {
          await using filled = await fill(parts, load, work)
          const forgotten = await filled.transaction(async (tx) => {
            const rows = await recordRows(tx, parts, load, filled, leftOutWarning(corrections))
            const sent = namesRejects ? corrections.sent() : null
            await markCorrected(tx, keyOf(source), rows.loadId, sent)
            const files = await publishRows(tx, parts, load, rows)
            await work.seal(tx, load.table.enterpriseId)
            return files
          })
          return { isPublished: true, forgotten }
        })
        return null
      } catch (error) {
        await content.discard(error)
        throw content.failure() ?? error
      }
    })
    const source = await find(actor, uuid)
    return earlier === null ? source : { ...source, report: earlier }
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

async function readCorrections(pool: Pool, source: Source): Promise<Corrections> {
  const client = await pool.connect()
  try {
    return await Corrections.read(client, keyOf(source))
  } finally {
    client.release()
  }
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

function requireColumns({ columns }: Source, records: RecordSource): void {
  const known = columns.map(({ name }) => name)
  const unknown = records.columns
    .map(({ label }) => label ?? '')
    .filter((label) => !known.includes(label))
  if (unknown.length === 0) return
  throw invalidField('/file', sourceMessages.unknownColumns({ unknown, known }))
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
