import { columnLetters } from '../cells/column-letters.ts'
import type { PartFlow } from '../readers/excel/archive/open-archive.ts'
import { columnOfReference } from '../readers/excel/cells/cell-address.ts'
import type { XmlAttributes } from '../readers/excel/xml/xml-attributes.ts'
import { xmlName } from '../readers/excel/xml/xml-name.ts'
import type { XmlHandler } from '../readers/excel/xml/xml-scanner.ts'
import { editedPart, type PartEdits, prefixOf } from './edit-part.ts'

const SHEET_DATA = xmlName('sheetData')
const COLUMN = xmlName('col')
const ROW = xmlName('row')
const CELL = xmlName('c')
const LEGACY_DRAWING = xmlName('legacyDrawing')
const REFERENCE = xmlName('r')
const STYLE = xmlName('s')
const OF_COLUMN = xmlName('style')
const MIN = xmlName('min')
const MAX = xmlName('max')
const ID = xmlName('id')

/** What comes after the drawing of the notes, in the order that a sheet has to keep. */
const AFTER_NOTES: ReadonlySet<number> = new Set(
  [
    'legacyDrawingHF',
    'drawingHF',
    'picture',
    'oleObjects',
    'controls',
    'webPublishItems',
    'tableParts',
    'extLst',
  ].map(xmlName),
)

/** Columns from 0 by the number of their row. */
export type MarkedCells = ReadonlyMap<number, ReadonlySet<number>>

interface SheetMarks {
  readonly cells: MarkedCells
  /** The style that a cell gets in the place of its own. */
  styleFor(style: number, isMarked: boolean): number
  /** Cells that were marked before are looked at again. */
  readonly everyCell: boolean
  /** What names the drawing of the notes if the sheet has none yet; null: there are no notes. */
  readonly drawing: { readonly id: string; readonly namespace: string } | null
}

interface MarkedSheet {
  readonly xml: AsyncGenerator<Buffer>
  /** Known at the end: the relationship with the drawing of its notes; null: there is none. */
  drawingId(): string | null
}

/** A sheet whose cells at fault have another style; a cell that is not there is added. */
export function markedSheet(part: PartFlow, marks: SheetMarks): MarkedSheet {
  let handler: SheetMarker | null = null
  return {
    xml: editedPart(part, (edits) => (handler = new SheetMarker(edits, marks))),
    drawingId: () => handler?.drawingId ?? null,
  }
}

interface ColumnStyle {
  readonly first: number
  readonly last: number
  readonly style: number
}

class SheetMarker implements XmlHandler {
  drawingId: string | null = null
  readonly #edits: PartEdits
  readonly #marks: SheetMarks
  readonly #columns: ColumnStyle[] = []
  #depth = 0
  #prefix = ''
  #inSheetData = false
  #row = 0
  #rowStyle: number | null = null
  #column = -1
  /** Columns of the row that are at fault and have not come yet, in order. */
  #awaited: number[] = []
  #inMarkedRow = false

  constructor(edits: PartEdits, marks: SheetMarks) {
    this.#edits = edits
    this.#marks = marks
  }

  open(name: number, attributes: XmlAttributes): void {
    this.#depth += 1
    if (name === CELL) {
      if (this.#inMarkedRow) this.#openCell(attributes)
    } else if (name === ROW) {
      if (this.#inSheetData) this.#openRow(attributes)
    } else if (name === SHEET_DATA) this.#inSheetData = true
    else if (name === COLUMN) this.#noteColumn(attributes)
    else if (this.#depth === 1) this.#prefix = prefixOf(attributes)
    else if (this.#depth === 2) {
      if (name === LEGACY_DRAWING) this.drawingId = attributes.text(ID)
      else if (AFTER_NOTES.has(name)) this.#addDrawing()
    }
  }

  close(name: number): void {
    this.#depth -= 1
    if (name === ROW) {
      if (this.#awaited.length > 0) this.#edits.before(this.#cellsBefore(Infinity))
      this.#inMarkedRow = false
    } else if (name === SHEET_DATA) this.#inSheetData = false
    else if (this.#depth === 0) this.#addDrawing()
  }

  text(): void {}

  #noteColumn(attributes: XmlAttributes): void {
    const style = Number(attributes.text(OF_COLUMN) ?? 0)
    if (style === 0) return
    const first = Number(attributes.text(MIN)) - 1
    this.#columns.push({ first, last: Number(attributes.text(MAX)) - 1, style })
  }

  #openRow(attributes: XmlAttributes): void {
    const given = attributes.text(REFERENCE)
    this.#row = given === null ? this.#row + 1 : Number(given)
    const marked = this.#marks.cells.get(this.#row)
    this.#inMarkedRow = marked !== undefined || this.#marks.everyCell
    if (marked === undefined) return
    this.#prefix = prefixOf(attributes)
    const style = attributes.text(STYLE)
    this.#rowStyle = style === null ? null : Number(style)
    this.#column = -1
    this.#awaited = [...marked].toSorted((one, other) => one - other)
    if (attributes.isEmpty) this.#edits.inside(attributes, this.#cellsBefore(Infinity))
  }

  #openCell(attributes: XmlAttributes): void {
    const index = attributes.find(REFERENCE)
    this.#column =
      index === -1
        ? this.#column + 1
        : columnOfReference(attributes.bytes, attributes.start[index]!, attributes.end[index]!)
    const missing = this.#cellsBefore(this.#column)
    if (missing !== '') this.#edits.before(missing)
    const isMarked = this.#awaited[0] === this.#column
    if (isMarked) this.#awaited.shift()
    const style = Number(attributes.text(STYLE) ?? 0)
    const wanted = this.#marks.styleFor(style, isMarked)
    if (wanted !== style) this.#edits.setAttribute(attributes, STYLE, 's', String(wanted))
  }

  /** Cells at fault that the row does not have. */
  #cellsBefore(column: number): string {
    let cells = ''
    while (this.#awaited.length > 0 && this.#awaited[0]! < column) {
      const missing = this.#awaited.shift()!
      const own = this.#columns.find(({ first, last }) => first <= missing && missing <= last)
      const style = this.#marks.styleFor(this.#rowStyle ?? own?.style ?? 0, true)
      cells += `<${this.#prefix}c r="${columnLetters(missing)}${this.#row}" s="${style}"/>`
    }
    return cells
  }

  #addDrawing(): void {
    const { drawing } = this.#marks
    if (drawing === null || this.drawingId !== null) return
    this.drawingId = drawing.id
    const { id, namespace } = drawing
    this.#edits.before(`<${this.#prefix}legacyDrawing xmlns:r="${namespace}" r:id="${id}"/>`)
  }
}
