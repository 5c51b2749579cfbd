import type { Certainty } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'

/** Files that only archives of office programs contain; in lower case. */
const OFFICE_FILES: ReadonlySet<string> = new Set([
  '[content_types].xml',
  '_rels/.rels',
  'docprops/app.xml',
  'docprops/core.xml',
  'xl/workbook.xml',
  'xl/workbook.bin',
  'word/document.xml',
  'ppt/presentation.xml',
  'index/document.iwa',
])

/** A workbook, or a similar document: the reader explains why it refuses what it cannot read. */
export function recognisesWorkbook({ members }: InputHead): Certainty {
  const isOffice = members?.some((name) => OFFICE_FILES.has(name.toLowerCase())) ?? false
  return isOffice ? 'certainly' : 'no'
}
