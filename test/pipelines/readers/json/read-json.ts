import { Readable } from 'node:stream'

import { cellText } from '../../../../pipelines/core/batch.ts'
import type { EngineLimits } from '../../../../pipelines/core/limits.ts'
import type { IngestOptions } from '../../../../pipelines/core/options.ts'
import type { InputReport } from '../../../../pipelines/core/report.ts'
import type { OpenReading } from '../../../../pipelines/engine/open-reading.ts'
import type { ByteSource } from '../../../../pipelines/core/source.ts'
import { jsonFormat } from '../../../../pipelines/readers/json/index.ts'
import { openSource } from '../../../contracts/reader.ts'

export interface JsonCase {
  readonly options?: IngestOptions
  readonly limits?: Partial<EngineLimits>
  readonly signal?: AbortSignal
  /** Bytes handed over at a time. */
  readonly pieceBytes?: number
}

export interface Table {
  readonly headers: readonly (string | null)[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** Per row, a digit per cell: its `CellKind`. */
  readonly kinds: readonly string[]
  readonly lines: readonly number[]
  readonly raw: readonly string[]
  /** Ordinal of the row → what is wrong with it. */
  readonly faults: Readonly<Record<number, string>>
  readonly batches: number
  readonly report: InputReport
}

export function bytesInPieces(bytes: Buffer, pieceBytes: number): ByteSource {
  return {
    kind: 'bytes',
    open: () => {
      let at = 0
      const stream = new Readable({
        read() {
          this.push(at >= bytes.length ? null : bytes.subarray(at, at + pieceBytes))
          at += pieceBytes
        },
      })
      return Promise.resolve(stream)
    },
  }
}

export function openJson(source: ByteSource, given: JsonCase = {}): Promise<OpenReading> {
  return openSource(jsonFormat, source, given)
}

export async function readJson(text: string | Buffer, given: JsonCase = {}): Promise<Table> {
  const source = bytesInPieces(Buffer.from(text), given.pieceBytes ?? 64 * 1024)
  const reading = await openJson(source, given)
  try {
    return await readTable(reading)
  } finally {
    await reading.close()
  }
}

/** Everything a reading yields, as JavaScript values; narrow early batches are filled up. */
export async function readTable(open: OpenReading): Promise<Table> {
  const { reading } = open
  const rows: (string | null)[][] = []
  const kinds: string[] = []
  const lines: number[] = []
  const raw: string[] = []
  const faults: Record<number, string> = {}
  let batches = 0
  for (let batch = await open.next(); batch !== null; batch = await open.next()) {
    batches += 1
    for (const fault of batch.faults) faults[batch.firstRow + fault.row] = String(fault.message)
    for (let row = 0; row < batch.rows; row += 1) {
      const cells = Array.from({ length: batch.width }, (_, k) => cellText(batch, row, k))
      rows.push(cells)
      const from = row * batch.width
      kinds.push(batch.kinds?.subarray(from, from + batch.width).join('') ?? '')
      lines.push(batch.lines?.[row] ?? 0)
      raw.push(reading.rawRow(batch, row))
    }
  }
  const { headers } = reading
  for (const row of rows) while (row.length < headers.length) row.push(null)
  return { headers, rows, kinds, lines, raw, faults, batches, report: open.report() }
}

/** The error that reading ends with; fails where it does not. */
export async function refusalOf(text: string | Buffer, given: JsonCase = {}): Promise<unknown> {
  try {
    await readJson(text, given)
  } catch (error) {
    return error
  }
  throw new Error('the input was read without an error')
}
