import { tmpdir } from 'node:os'

import { createEngine, type IngestOptions } from '../../pipelines/index.ts'
import { bytesOf } from '../pipelines/engine/loading.ts'
import { patience } from '../support/patience.ts'

/** What is seen in a sheet, in the words of the page of sheets: each line, and what it is taken for. */
export async function describeSheet(bytes: Buffer, options: IngestOptions): Promise<string> {
  const engine = createEngine({ tempDir: tmpdir() })
  const { columns, table, warnings } = await engine.preview(bytesOf(bytes), options, {
    limit: 1,
    signal: patience(),
  })
  const { titles, header, firstRow, lastRow, notes } = table!
  return [
    ...titles.map(({ line, text }) => `title ${line}: ${text}`),
    `header ${header.rows.join(', ')}: ${columns.map(({ name }) => name).join(' | ')}`,
    `types: ${columns.map(({ type }) => type).join(' | ')}`,
    `rows ${firstRow}–${lastRow}`,
    ...notes.map(({ line, text }) => `note ${line}: ${text}`),
    ...warnings.map(({ message }) => `warning: ${String(message)}`),
  ].join('\n')
}
