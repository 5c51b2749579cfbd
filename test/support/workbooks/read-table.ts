import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeFolder } from '../folder.ts'
import { CellKind, cellText, type RowFault } from '../../../pipelines/core/batch.ts'
import type { EngineLimits } from '../../../pipelines/core/limits.ts'
import type { IngestOptions } from '../../../pipelines/core/options.ts'
import type { InputReport } from '../../../pipelines/core/report.ts'
import type { TableReport } from '../../../pipelines/core/table-report.ts'
import type { Warning } from '../../../pipelines/core/warning.ts'
import { excelFormat } from '../../../pipelines/readers/excel/index.ts'
import { openSource } from '../../contracts/reader.ts'

/** A whole workbook as it came out of the reader. */
interface ReadTable {
  readonly headers: readonly (string | null)[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** `n`, `b`, `d`, `s` or `t` for each cell that has a value. */
  readonly kinds: readonly (readonly (string | null)[])[]
  readonly lines: readonly number[]
  /** `Sheet!Cell` of the first column of each row. */
  readonly places: readonly string[]
  readonly faults: readonly (RowFault & { readonly line: number })[]
  /** Each row as the rejects table would show it. */
  readonly raw: readonly string[]
  readonly report: InputReport
  readonly table: TableReport
  readonly warnings: readonly Warning[]
}

export interface ReadSettings {
  readonly options?: IngestOptions
  readonly limits?: Partial<EngineLimits>
  readonly signal?: AbortSignal
}

export async function readTable(
  workbook: Buffer | string,
  { options = {}, limits = {}, signal = new AbortController().signal }: ReadSettings = {},
): Promise<ReadTable> {
  return await withFolder(async (tempDir) => {
    let path = workbook
    if (typeof path !== 'string') {
      path = join(tempDir, `${randomUUID()}.xlsx`)
      await writeFile(path, workbook)
    }
    const source = {
      kind: 'bytes',
      path,
      open: () => Promise.reject(new Error('not asked')),
    } as const
    const open = await openSource(excelFormat, source, { options, limits, tempDir, signal })
    const { reading } = open
    try {
      const rows: (string | null)[][] = []
      const kinds: (string | null)[][] = []
      const raw: string[] = []
      const lines: number[] = []
      const places: string[] = []
      const faults: (RowFault & { line: number })[] = []
      for (;;) {
        const batch = await open.next()
        if (batch === null) break
        const columns = [...Array(batch.width).keys()]
        for (let row = 0; row < batch.rows; row += 1) {
          const cells = columns.map((column) => cellText(batch, row, column))
          rows.push(cells)
          kinds.push(
            columns.map((column) =>
              cells[column] === null
                ? null
                : letterOf(batch.kinds?.[row * batch.width + column] ?? CellKind.text),
            ),
          )
          raw.push(reading.rawRow(batch, row))
          lines.push(batch.lines![row]!)
          places.push(reading.place(batch, row, 0)!)
        }
        faults.push(...batch.faults.map((fault) => ({ ...fault, line: batch.lines![fault.row]! })))
      }
      const report = open.report()
      const table = open.table().table!
      const warnings = open.warnings(options)
      const { headers } = reading
      return { headers, rows, kinds, raw, lines, places, faults, report, table, warnings }
    } finally {
      await open.close()
    }
  })
}

export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makeFolder('workbooks')
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function letterOf(kind: number): string {
  if (kind === CellKind.number) return 'n'
  if (kind === CellKind.boolean) return 'b'
  if (kind === CellKind.shownDigits) return 's'
  return kind === CellKind.date ? 'd' : 't'
}
