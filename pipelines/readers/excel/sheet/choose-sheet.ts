import { EngineError } from '../../../core/errors.ts'
import type { ExcelOptions } from './excel-options.ts'
import type { BookSheet } from './book.ts'
import { excelMessages } from '../messages/excel-messages.ts'

const NAMES_SHOWN = 30

/**
 * The sheets to look into, in order: the named one; otherwise visible sheets, then hidden ones,
 * which are usually lists for drop-downs. The first that has data is read.
 */
export function candidateSheets(
  sheets: readonly BookSheet[],
  wanted: ExcelOptions['sheet'],
): readonly BookSheet[] {
  if (wanted !== undefined) return [namedSheet(sheets, wanted)]
  const withCells = sheets.filter(({ hasCells }) => hasCells)
  return [
    ...withCells.filter(({ state }) => state === 'visible'),
    ...withCells.filter(({ state }) => state !== 'visible'),
  ]
}

function namedSheet(sheets: readonly BookSheet[], wanted: string | number): BookSheet {
  const sheet =
    typeof wanted === 'number'
      ? sheets[wanted - 1]
      : (sheets.find(({ name }) => name === wanted) ??
        // Like Excel, ignores case in names.
        sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()))
  if (sheet === undefined) {
    const names = sheets.slice(0, NAMES_SHOWN).map(({ name }, index) => `${index + 1}: ${name}`)
    const others = sheets.length - names.length
    throw new EngineError(excelMessages.noSuchSheet({ wanted, names, others }), {
      kind: 'options',
      pointer: '/sheet',
    })
  }
  if (!sheet.hasCells) {
    throw new EngineError(excelMessages.noCells({ sheet: sheet.name }), {
      kind: 'options',
      pointer: '/sheet',
    })
  }
  return sheet
}
