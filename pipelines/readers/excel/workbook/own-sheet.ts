/**
 * The name that a workbook which was given back has for its list of errors. It goes with the sheet
 * wherever people move, rename or copy it.
 */
export const OWN_NAME = '_errors_to_correct'

/** The sheet that a name such as `'À corriger'!$A$1` is about; null: it is gone. */
export function sheetOfReference(reference: string): string | null {
  const end = reference.lastIndexOf('!')
  if (end < 1 || reference.includes('#REF!')) return null
  const sheet = reference.slice(0, end).replace(/^\$/, '')
  return sheet.startsWith("'") ? sheet.slice(1, -1).replaceAll("''", "'") : sheet
}
