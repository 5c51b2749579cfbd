import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { type ByteSource, createEngine, type Preview } from '../../pipelines/index.ts'
import type { LabelledSheet } from './labelled-sheets.ts'
import { workbookOf } from './workbook-of.ts'

const engine = createEngine({ tempDir: tmpdir() })
/** What a column without a name is called. */
const UNNAMED = /^Sans titre \d+$/

/** What was seen in a sheet. What a tool does not tell is absent. */
export interface SeenSheet {
  readonly delimiter?: string | null
  readonly header: readonly number[]
  readonly firstRow: number | null
  readonly lastRow?: number | null
  readonly columns: readonly string[]
  readonly titles?: readonly number[]
  readonly notes?: readonly number[]
}

/** By the engine, as it previews a file; rows that do not fit are left out, and no sheet is refused. */
export async function seeSheet(sheet: LabelledSheet): Promise<SeenSheet> {
  const options = { onInvalid: 'skip', ragged: 'fit' } as const
  const { signal } = new AbortController()
  const source = await sourceOf(sheet)
  const { columns, input, table } = await engine.preview(source, options, { limit: 1, signal })
  const delimiter = input.layout.kind === 'fields' ? input.layout.delimiter : null
  return {
    ...(sheet.form === 'text' && { delimiter }),
    ...seenIn(table!),
    columns: columns.map(({ name }) => name.replace(UNNAMED, '')),
  }
}

function seenIn({ header, firstRow, lastRow, titles, notes }: NonNullable<Preview['table']>) {
  return {
    header: header.rows,
    firstRow,
    lastRow,
    titles: titles.map(({ line }) => line),
    notes: notes.map(({ line }) => line),
  }
}

async function sourceOf(sheet: LabelledSheet): Promise<ByteSource> {
  if (sheet.form === 'text') {
    return { kind: 'bytes', name: sheet.name, open: async () => createReadStream(sheet.path) }
  }
  const bytes = await workbookOf(sheet.workbook)
  return { kind: 'bytes', name: `${sheet.name}.xlsx`, open: async () => Readable.from([bytes]) }
}
