import type { Input } from '../../../core/input.ts'
import type { ReadContext } from '../../../core/reader.ts'
import { openArchive, type Archive } from '../archive/open-archive.ts'
import type { CellContext } from '../cells/write-cell.ts'
import { readSharedStrings } from '../strings/read-shared-strings.ts'
import { readStyles } from './read-styles.ts'
import { readWorkbook, type Workbook } from './read-workbook.ts'

/** An archive whose common parts were read: everything a sheet needs. */
export interface OpenWorkbook {
  readonly archive: Archive
  readonly workbook: Workbook
  readonly cells: CellContext
  close(): Promise<void>
}

export async function openWorkbook(input: Input, context: ReadContext): Promise<OpenWorkbook> {
  const archive = await openArchive(input)
  const workbook = await readWorkbook(archive)
  const styles = await readStyles(archive, workbook.stylesPart)
  const strings = await readSharedStrings(archive, workbook.sharedStringsPart, context)
  const cells = {
    strings,
    styles: styles.formats,
    bold: styles.bold,
    dateSystem: workbook.dateSystem,
  }
  return { archive, workbook, cells, close: () => strings.close() }
}
