import type { Judgement } from '../core/engine.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Input } from '../core/input.ts'
import type { DataSource } from '../core/source.ts'
import { openInput } from '../input/open-input.ts'
import { openArchive } from '../readers/excel/archive/open-archive.ts'
import type { ErrorList } from '../workbooks/list-sheet.ts'
import { isMacroEnabled, markWorkbook } from '../workbooks/mark-workbook.ts'
import type { WriteBytes } from '../workbooks/zip-stream.ts'
import { chooseFormat } from './choose-format.ts'
import type { EngineParts } from './engine-parts.ts'
import { openBytes } from './open-reading.ts'
import { type RowsAsWorkbook, rowsAsWorkbook } from './rows-as-workbook.ts'

type Say = ErrorList['say']

/** A workbook in which what is wrong with a source is marked. */
export interface FileBack extends AsyncDisposable {
  readonly extension: 'xlsx' | 'xlsm'
  write(write: WriteBytes, signal: AbortSignal): Promise<void>
}

/**
 * The file back: the sender's own workbook, or, of any other source, one of its rows as they were
 * written. `judgement` is what was found in the same source with the same options.
 */
export async function giveBack(
  parts: EngineParts,
  source: DataSource,
  options: IngestOptions,
  judgement: Judgement,
  say: Say,
  signal: AbortSignal,
): Promise<FileBack> {
  const { errors, totalErrors: total } = judgement
  if (source.kind === 'bytes') {
    const input = await openBytes(parts.formats, source, { ...parts, signal })
    const isWorkbook = chooseFormat(parts.formats, input.head, options).name === 'excel'
    if (isWorkbook && input.archive !== null) {
      const list = {
        errors: errors.map((error) => ({ ...error, link: error.place ?? null })),
        total,
        say,
      }
      return marked(input, list, async () => undefined)
    }
    await input.close()
  }
  const rows = await rowsAsWorkbook(parts, source, options, judgement, say, signal)
  return markedRows(parts, rows, { total, say }, signal)
}

async function markedRows(
  { limits, tempDir }: EngineParts,
  { errors, ...rows }: RowsAsWorkbook,
  list: Omit<ErrorList, 'errors'>,
  signal: AbortSignal,
): Promise<FileBack> {
  try {
    const input = await openInput(rows.source, { limits, tempDir, signal }, () => true)
    return await marked(input, { ...list, errors }, rows.remove)
  } catch (error) {
    await rows.remove()
    throw error
  }
}

async function marked(
  input: Input,
  list: ErrorList,
  remove: () => Promise<void>,
): Promise<FileBack> {
  const close = async () => {
    await input.close()
    await remove()
  }
  try {
    const archive = await openArchive(input)
    const { entries } = input.archive!
    return {
      extension: (await isMacroEnabled(archive)) ? 'xlsm' : 'xlsx',
      write: (write, signal) => markWorkbook({ archive, entries }, list, { write, signal }),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
