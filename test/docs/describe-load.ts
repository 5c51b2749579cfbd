import { tmpdir } from 'node:os'

import { createEngine, EngineError, type IngestOptions } from '../../pipelines/index.ts'
import { bytesOf, loadInto } from '../pipelines/engine/loading.ts'
import type { TestDatabase } from '../support/database.ts'
import { patience } from '../support/patience.ts'

/** What comes of a file, in the words of the guide: columns, rows, and what was done to them. */
export async function describeLoad(
  database: TestDatabase,
  bytes: Buffer,
  options: IngestOptions,
): Promise<string> {
  try {
    const { columns, counts, report } = await loadInto(database, bytesOf(bytes), { options })
    const preview = await createEngine({ tempDir: tmpdir() }).preview(bytesOf(bytes), options, {
      limit: 100,
      signal: patience(),
    })
    const rejects = counts.rejected === 0 ? [] : await readRejects(database)
    return [
      columns
        .map(({ name, type, dateFormat, pattern = dateFormat }) =>
          [name, type, pattern].join(' ').trim(),
        )
        .join(' | '),
      ...preview.rows
        .filter((_, index) => !rejects.some(({ row }) => row === index + 1))
        .map((row) => row.map((cell) => cell ?? 'null').join(' | ')),
      '',
      `${counts.read} rows read, ${counts.loaded} loaded, ${counts.rejected} rejected`,
      ...rejects.map(
        ({ row, line, raw, message }) => `reject: row ${row}, line ${line}, ${raw}: ${message}`,
      ),
      ...(report.invalidCells > 0 ? [`invalid cells: ${report.invalidCells}`] : []),
      ...report.warnings.map(({ message }) => `warning: ${message}`),
    ].join('\n')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { problem } = error
    const cells = problem.kind === 'cells' ? problem.errors : []
    return [
      `refused: ${error.message}`,
      ...cells.map(
        ({ row, line, column, message }) => `row ${row}, line ${line}, ${column}: ${message}`,
      ),
    ].join('\n')
  }
}

interface Reject {
  readonly row: number
  readonly line: number
  readonly raw: string
  readonly message: string
}

async function readRejects({ pool }: TestDatabase): Promise<Reject[]> {
  const { rows } = await pool.query<Reject>(
    'select row::int, line::int, raw, message from loaded_rejects order by row',
  )
  return rows
}
