import type { ReadContext } from '../../../core/reader.ts'
import type { ByteSource } from '../../../core/source.ts'
import { openLocalFile } from '../../../input/archive/local-file.ts'
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

export async function openWorkbook(
  source: ByteSource,
  context: ReadContext,
): Promise<OpenWorkbook> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const undo of closers.splice(0).toReversed()) await undo()
  }
  try {
    const file = await openLocalFile(source, context)
    closers.push(async () => file.remove())
    const archive = await openArchive(file.fd, context.limits, context.signal)
    closers.push(async () => archive.close())
    const workbook = await readWorkbook(archive)
    const styles = await readStyles(archive, workbook.stylesPart)
    const strings = await readSharedStrings(archive, workbook.sharedStringsPart, context)
    closers.push(() => strings.close())
    const cells = { strings, styles, dateSystem: workbook.dateSystem }
    return { archive, workbook, cells, close }
  } catch (error) {
    await close()
    throw error
  }
}
