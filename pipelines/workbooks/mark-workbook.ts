import { posix } from 'node:path'

import { cutText } from '../core/cut-text.ts'
import { EngineError } from '../core/errors.ts'
import type { Archive } from '../core/input.ts'
import { MiB } from '../core/mebibyte.ts'
import type { PartFlow, WorkbookArchive } from '../readers/excel/archive/open-archive.ts'
import { columnOfReference } from '../readers/excel/cells/cell-address.ts'
import { excelMessages } from '../readers/excel/messages/excel-messages.ts'
import { sheetOfReference } from '../readers/excel/workbook/own-sheet.ts'
import { readWorkbook, type Workbook } from '../readers/excel/workbook/read-workbook.ts'
import { readRelationships } from '../readers/excel/workbook/relationships.ts'
import { scanPart } from '../readers/excel/xml/scan-part.ts'
import { xmlName } from '../readers/excel/xml/xml-name.ts'
import type { XmlHandler } from '../readers/excel/xml/xml-scanner.ts'
import { Appending, editedPart } from './edit-part.ts'
import { withFirstSheet } from './edit-workbook.ts'
import { cellOf, type ErrorList, listSheet } from './list-sheet.ts'
import { markMessages } from './mark-messages.ts'
import { type MarkedCells, markedSheet } from './mark-sheet.ts'
import { MarkedStyles } from './marked-styles.ts'
import { editedShapes, newShapes, type NotedCell } from './note-shapes.ts'
import { editedNotes, newNotes, readNotes } from './notes.ts'
import { XML_START, xmlAttribute } from './xml-text.ts'
import { type WriteBytes, ZipStream } from './zip-stream.ts'

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
const CONTENT_TYPES = '[Content_Types].xml'

interface Namespaces {
  readonly main: string
  readonly relationships: string
}
const TRANSITIONAL: Namespaces = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
}
const STRICT: Namespaces = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
}

interface Destination {
  readonly write: WriteBytes
  readonly signal: AbortSignal
}

/**
 * Writes a workbook again with the cells at fault marked, and with a sheet before all others that
 * lists what is wrong. What is not touched by that is copied as it is packed.
 */
export async function markWorkbook(
  { archive, entries }: { archive: WorkbookArchive } & Pick<Archive, 'entries'>,
  list: ErrorList,
  { write, signal }: Destination,
): Promise<void> {
  const workbook = await readWorkbook(archive)
  const zip = new ZipStream(write, signal)
  await new Marking(archive, workbook, list, entries, zip).run(entries, signal)
}

/** Whether a workbook may hold macros; its name then has to say so. */
export async function isMacroEnabled(archive: WorkbookArchive): Promise<boolean> {
  const types = await archive.open(CONTENT_TYPES)
  let isEnabled = false
  if (types !== null) {
    await scanPart(types, {
      open(_name, attributes) {
        isEnabled ||= attributes.text(CONTENT_TYPE)?.includes('macroEnabled') ?? false
      },
      close() {},
      text() {},
    })
  }
  return isEnabled
}
const CONTENT_TYPE = xmlName('ContentType')

interface NewPart {
  readonly part: string
  readonly contentType: string
}

interface Relationship {
  readonly id: string
  readonly kind: string
  readonly part: string
}

interface CellMark extends NotedCell {
  readonly reference: string
  readonly text: string
}

class Marking {
  readonly #archive: WorkbookArchive
  readonly #workbook: Workbook
  readonly #list: ErrorList
  readonly #zip: ZipStream
  /** Names of parts as they are written, by their names in lower case. */
  readonly #names: ReadonlyMap<string, string>
  /** Parts that are written anew, in lower case. */
  readonly #written = new Set<string>()
  readonly #newParts: NewPart[] = []
  #namespaces = TRANSITIONAL

  constructor(
    archive: WorkbookArchive,
    workbook: Workbook,
    list: ErrorList,
    entries: Archive['entries'],
    zip: ZipStream,
  ) {
    this.#archive = archive
    this.#workbook = workbook
    this.#list = list
    this.#names = new Map(entries.map(({ name }) => [name.toLowerCase(), name]))
    this.#zip = zip
  }

  async run(entries: Archive['entries'], signal: AbortSignal): Promise<void> {
    const { part, stylesPart, sheets } = this.#workbook
    this.#namespaces = (await isStrict(await this.#open(part))) ? STRICT : TRANSITIONAL
    const styles = await MarkedStyles.read(this.#archive, stylesPart)
    const marks = marksBySheet(this.#list)
    for (const sheet of sheets) {
      const own = marks.get(sheet.name) ?? []
      if (sheet.part === null || (own.length === 0 && !styles.areMarked)) continue
      await this.#markSheet(sheet.part, own, styles)
    }
    const related = [...(await this.#writeList(styles)), ...(await this.#writeStyles(styles))]
    await this.#relate(part, related)
    await this.#declareParts()
    for (const { name, packed } of entries) {
      signal.throwIfAborted()
      if (!this.#written.has(name.toLowerCase())) await this.#zip.copy(packed)
    }
    await this.#zip.end()
  }

  async #markSheet(part: string, marks: readonly CellMark[], styles: MarkedStyles): Promise<void> {
    const related = await readRelationships(this.#archive, part)
    const notesPart = related.find(({ kind }) => kind === 'comments')?.part ?? null
    const there = notesPart === null ? null : await readNotes(await this.#open(notesPart), isOwn)
    const notes = new Map(marks.map(({ reference, text }) => [reference, text]))
    const drawing = {
      id: await this.#freeId(part, 'rIdNotes'),
      namespace: this.#namespaces.relationships,
    }
    const sheet = markedSheet(await this.#open(part), {
      cells: cellsByRow(marks),
      styleFor: (style, isMarked) => styles.styleFor(style, isMarked),
      everyCell: styles.areMarked,
      drawing: notes.size === 0 ? null : drawing,
    })
    await this.#write(part, sheet.xml)
    const added: Relationship[] = []
    const author = this.#list.say(markMessages.title())
    if (notesPart !== null) {
      if (notes.size > 0 || there!.ours.size > 0) {
        await this.#write(
          notesPart,
          editedNotes(await this.#open(notesPart), there!, notes, author),
        )
      }
    } else if (notes.size > 0) {
      const created = this.#freePart('xl/comments', 'xml')
      await this.#write(created, [newNotes(notes, author, this.#namespaces.main)])
      this.#newParts.push({ part: created, contentType: `${TYPES}.comments+xml` })
      const id = await this.#freeId(part, 'rIdComments')
      added.push({ id, kind: 'comments', part: created })
    }
    const shaped = marks.filter(({ reference }) => there?.others.has(reference) !== true)
    const removed = [...(there?.ours ?? [])].map(cellAt)
    const drawingPart = related.find(({ id }) => id === sheet.drawingId())?.part ?? null
    if (drawingPart !== null) await this.#editShapes(drawingPart, shaped, removed)
    else if (notes.size > 0) {
      const created = this.#freePart('xl/drawings/vmlDrawing', 'vml')
      await this.#write(created, [newShapes(shaped)])
      this.#newParts.push({ part: created, contentType: VML })
      added.push({ id: drawing.id, kind: 'vmlDrawing', part: created })
    }
    if (added.length > 0) await this.#relate(part, added)
  }

  async #editShapes(
    part: string,
    added: readonly NotedCell[],
    removed: readonly NotedCell[],
  ): Promise<void> {
    if (added.length + removed.length === 0) return
    const chunks: Buffer[] = []
    const flow = await this.#open(part)
    try {
      let bytes = 0
      for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
        bytes += chunk.length
        // Drawings of notes alone are never so large; those of others stay as they are.
        if (bytes > MOST_DRAWING_BYTES) return
        chunks.push(chunk)
      }
    } finally {
      await flow.close()
    }
    // Ours are ASCII, and every byte of theirs stays.
    const drawing = Buffer.concat(chunks).toString('latin1')
    await this.#write(part, [Buffer.from(editedShapes(drawing, added, removed), 'latin1')])
  }

  /** In the place of the list of an earlier check, or before all sheets. */
  async #writeList(styles: MarkedStyles): Promise<readonly Relationship[]> {
    const { ownSheet, part: workbookPart, sheets } = this.#workbook
    const list = listSheet(this.#list, styles, this.#namespaces.main)
    if (ownSheet !== null && ownSheet.part !== null) {
      await this.#write(ownSheet.part, list)
      return []
    }
    const part = this.#freePart('xl/worksheets/sheet', 'xml')
    await this.#write(part, list)
    this.#newParts.push({ part, contentType: `${TYPES}.worksheet+xml` })
    const title = this.#list.say(markMessages.title())
    const taken = new Set(sheets.map(({ name }) => name.toLowerCase()))
    let name = title
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${title} ${number}`
    const id = await this.#freeId(workbookPart, 'rIdToCorrect')
    const namespace = this.#namespaces.relationships
    const open = () => this.#open(workbookPart)
    await this.#write(workbookPart, withFirstSheet(open, { name, id, namespace }))
    return [{ id, kind: 'worksheet', part }]
  }

  async #writeStyles(styles: MarkedStyles): Promise<readonly Relationship[]> {
    const { stylesPart, part: workbookPart } = this.#workbook
    const part = stylesPart ?? this.#freePart('xl/styles', 'xml')
    await this.#write(part, styles.edited(this.#archive, stylesPart, this.#namespaces.main))
    if (stylesPart !== null) return []
    this.#newParts.push({ part, contentType: `${TYPES}.styles+xml` })
    return [{ id: await this.#freeId(workbookPart, 'rIdStyles'), kind: 'styles', part }]
  }

  async #relate(part: string, added: readonly Relationship[]): Promise<void> {
    if (added.length === 0) return
    const { relationships } = this.#namespaces
    const xml = (prefix: string) =>
      added
        .map(
          ({ id, kind, part: target }) =>
            `<${prefix}Relationship Id="${id}" Type="${relationships}/${kind}" Target="${xmlAttribute(posix.relative(posix.dirname(part), target))}"/>`,
        )
        .join('')
    const path = relationshipsOf(part)
    const existing = await this.#archive.open(path)
    await this.#write(
      path,
      existing === null
        ? [`${XML_START}<Relationships xmlns="${PACKAGE}">${xml('')}</Relationships>`]
        : editedPart(existing, (edits) => appending(new Appending(edits, RELATIONSHIPS, xml))),
    )
  }

  async #declareParts(): Promise<void> {
    if (this.#newParts.length === 0) return
    const xml = (prefix: string) =>
      this.#newParts
        .map(
          ({ part, contentType }) =>
            `<${prefix}Override PartName="/${xmlAttribute(part)}" ContentType="${contentType}"/>`,
        )
        .join('')
    const types = await this.#open(CONTENT_TYPES)
    await this.#write(
      CONTENT_TYPES,
      editedPart(types, (edits) => appending(new Appending(edits, TYPES_ROOT, xml))),
    )
  }

  async #write(part: string, content: Parameters<ZipStream['add']>[1]): Promise<void> {
    const key = part.toLowerCase()
    this.#written.add(key)
    await this.#zip.add(this.#names.get(key) ?? part, content)
  }

  async #open(part: string): Promise<PartFlow> {
    const found = await this.#archive.open(part)
    if (found !== null) return found
    const fault = excelMessages.partMissing({ part })
    throw new EngineError(excelMessages.damaged({ fault }), { kind: 'structure' })
  }

  #freePart(stem: string, extension: string): string {
    for (let number = 1; ; number++) {
      const part = `${stem}${number}.${extension}`
      const key = part.toLowerCase()
      if (!this.#names.has(key) && !this.#written.has(key)) return part
    }
  }

  async #freeId(part: string, stem: string): Promise<string> {
    const taken = new Set<string>()
    const content = await this.#archive.open(relationshipsOf(part))
    if (content !== null) {
      await scanPart(content, {
        open(_name, attributes) {
          taken.add(attributes.text(ID) ?? '')
        },
        close() {},
        text() {},
      })
    }
    let id = stem
    for (let number = 2; taken.has(id); number++) id = `${stem}${number}`
    return id
  }
}

const ID = xmlName('Id')
const RELATIONSHIPS = xmlName('Relationships')
const TYPES_ROOT = xmlName('Types')
const VML = 'application/vnd.openxmlformats-officedocument.vmlDrawing'
const MOST_DRAWING_BYTES = 32 * MiB

const relationshipsOf = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)

const appending = (to: Appending): XmlHandler => ({
  open: (name, attributes) => to.open(name, attributes),
  close: (name) => to.close(name),
  text() {},
})

const isOwn = (author: string): boolean =>
  Object.values(markMessages.title.templates).includes(author)

/** Whether its elements have the names of the strict variant of the format. */
async function isStrict(workbook: PartFlow): Promise<boolean> {
  let strict = false
  let isRoot = true
  await scanPart(workbook, {
    open(_name, attributes) {
      if (!isRoot) return
      isRoot = false
      const values = Array.from({ length: attributes.count }, (_, at) => attributes.value(at))
      strict = values.includes(STRICT.main)
    },
    close() {},
    text() {},
  })
  return strict
}

/** The longest note that is written. */
const LONGEST_NOTE = 2000

function marksBySheet({ errors, say }: ErrorList): ReadonlyMap<string, readonly CellMark[]> {
  const texts = new Map<string, Map<string, string>>()
  for (const { link, message } of errors) {
    const sheet = link === null ? null : sheetOfReference(link)
    if (sheet === null) continue
    const ofSheet = texts.get(sheet) ?? new Map<string, string>()
    texts.set(sheet, ofSheet)
    const cell = cellOf(link!)
    const before = ofSheet.get(cell)
    ofSheet.set(cell, before === undefined ? say(message) : `${before}\n${say(message)}`)
  }
  return new Map(
    [...texts].map(([sheet, cells]) => [
      sheet,
      [...cells].map(([reference, text]) => ({
        reference,
        text: cutText(text, LONGEST_NOTE, '…'),
        ...cellAt(reference),
      })),
    ]),
  )
}

function cellAt(reference: string): NotedCell {
  const bytes = Buffer.from(reference)
  return {
    row: Number(reference.replace(/^[A-Z]{1,3}/, '')) - 1,
    column: columnOfReference(bytes, 0, bytes.length),
  }
}

function cellsByRow(marks: readonly CellMark[]): MarkedCells {
  const rows = new Map<number, Set<number>>()
  for (const { row, column } of marks) {
    const ofRow = rows.get(row + 1) ?? new Set<number>()
    rows.set(row + 1, ofRow.add(column))
  }
  return rows
}
