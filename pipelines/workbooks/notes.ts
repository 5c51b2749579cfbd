import type { PartFlow } from '../readers/excel/archive/open-archive.ts'
import type { XmlAttributes } from '../readers/excel/xml/xml-attributes.ts'
import { scanPart } from '../readers/excel/xml/scan-part.ts'
import { xmlName } from '../readers/excel/xml/xml-name.ts'
import type { XmlHandler } from '../readers/excel/xml/xml-scanner.ts'
import { Appending, editedPart, type PartEdits, prefixOf } from './edit-part.ts'
import { XML_START, xmlAttribute, xmlText } from './xml-text.ts'

const AUTHORS = xmlName('authors')
const AUTHOR = xmlName('author')
const COMMENTS = xmlName('commentList')
const COMMENT = xmlName('comment')
const TEXT = xmlName('text')
const PHONETIC = xmlName('rPh')
const PHONETIC_PROPERTIES = xmlName('phoneticPr')
const REFERENCE = xmlName('ref')
const AUTHOR_ID = xmlName('authorId')

/** What is said at a cell, by its reference. */
type Notes = ReadonlyMap<string, string>

interface NotesThere {
  readonly authors: number
  /** Numbers of authors that are ours. */
  readonly own: ReadonlySet<string>
  /** What others say, by the cells. */
  readonly others: ReadonlyMap<string, string>
  /** Cells with one of ours. */
  readonly ours: ReadonlySet<string>
}

/** Of what others say, so much is compared. */
const LONGEST_KEPT = 4000

/** Whose notes a sheet has; `isOwn` tells our name among those of authors. */
export async function readNotes(
  part: PartFlow,
  isOwn: (author: string) => boolean,
): Promise<NotesThere> {
  const authors: string[] = []
  const own = new Set<string>()
  const others = new Map<string, string>()
  const ours = new Set<string>()
  let inAuthor = false
  let cell: string | null = null
  await scanPart(part, {
    open(name, attributes) {
      inAuthor = name === AUTHOR
      if (inAuthor) authors.push('')
      if (name !== COMMENT) return
      const isOurs = own.has(attributes.text(AUTHOR_ID) ?? '')
      const reference = attributes.text(REFERENCE) ?? ''
      if (isOurs) ours.add(reference)
      else others.set(reference, '')
      cell = isOurs ? null : reference
    },
    close(name) {
      if (name === AUTHOR && isOwn(authors.at(-1)!)) own.add(String(authors.length - 1))
      inAuthor = false
    },
    text(bytes, start, end) {
      if (inAuthor) authors.push(authors.pop()! + bytes.toString('utf8', start, end))
      const said = cell === null ? undefined : others.get(cell)
      if (said === undefined || said.length > LONGEST_KEPT) return
      others.set(cell!, said + bytes.toString('utf8', start, end))
    },
  })
  return { authors: authors.length, own, others, ours }
}

/** The notes of a sheet that had none. */
export const newNotes = (notes: Notes, author: string, namespace: string): string =>
  `${XML_START}<comments xmlns="${namespace}"><authors><author>${xmlText(author)}</author></authors>` +
  `<commentList>${[...notes].map(noteXml('', 0)).join('')}</commentList></comments>`

/**
 * The notes of a sheet with ours among them: below what others have said at the same cell, and in
 * the place of what we said before.
 */
export function editedNotes(
  part: PartFlow,
  there: NotesThere,
  notes: Notes,
  author: string,
): AsyncGenerator<Buffer> {
  const added = [...notes].filter(([cell]) => !there.others.has(cell))
  return editedPart(part, (edits) => new NotesHandler(edits, there, { notes, added, author }))
}

interface WrittenNotes {
  readonly notes: Notes
  /** Those at cells without a note of others. */
  readonly added: readonly (readonly [string, string])[]
  readonly author: string
}

class NotesHandler implements XmlHandler {
  readonly #edits: PartEdits
  readonly #there: NotesThere
  readonly #notes: Notes
  readonly #appending: readonly Appending[]
  /** What is said below the note at hand. */
  #below: string | null = null
  #isDropped = false
  #prefix = ''

  constructor(edits: PartEdits, there: NotesThere, { notes, added, author }: WrittenNotes) {
    this.#edits = edits
    this.#there = there
    this.#notes = notes
    this.#appending = [
      new Appending(edits, AUTHORS, (prefix) => {
        return `<${prefix}author>${xmlText(author)}</${prefix}author>`
      }),
      new Appending(edits, COMMENTS, (prefix) =>
        added.map(noteXml(prefix, there.authors)).join(''),
      ),
    ]
  }

  open(name: number, attributes: XmlAttributes): void {
    for (const appending of this.#appending) appending.open(name, attributes)
    if (name === COMMENT) this.#openNote(attributes)
    else if (name === TEXT && attributes.isEmpty) this.#sayInside(attributes)
    else if (name === PHONETIC || name === PHONETIC_PROPERTIES) this.#say()
  }

  close(name: number): void {
    if (name === TEXT) this.#say()
    else if (name === COMMENT && this.#isDropped) {
      this.#edits.drop()
      this.#isDropped = false
    }
    for (const appending of this.#appending) appending.close(name)
  }

  text(): void {}

  #openNote(attributes: XmlAttributes): void {
    this.#prefix = prefixOf(attributes)
    this.#below = null
    if (this.#there.own.has(attributes.text(AUTHOR_ID) ?? '')) {
      this.#edits.hold()
      this.#isDropped = true
      return
    }
    const cell = attributes.text(REFERENCE) ?? ''
    const text = this.#notes.get(cell) ?? null
    // What is still wrong was said there before.
    const isSaid = text !== null && this.#there.others.get(cell)?.includes(text)
    this.#below = isSaid ? null : text
  }

  #say(): void {
    if (this.#below !== null) this.#edits.before(runXml(this.#prefix, `\n${this.#below}`))
    this.#below = null
  }

  #sayInside(attributes: XmlAttributes): void {
    if (this.#below !== null) this.#edits.inside(attributes, runXml(this.#prefix, this.#below))
    this.#below = null
  }
}

const runXml = (prefix: string, text: string): string =>
  `<${prefix}r><${prefix}t xml:space="preserve">${xmlText(text)}</${prefix}t></${prefix}r>`

const noteXml =
  (prefix: string, author: number) =>
  ([cell, text]: readonly [string, string]): string =>
    `<${prefix}comment ref="${xmlAttribute(cell)}" authorId="${author}"><${prefix}text>` +
    `${runXml(prefix, text)}</${prefix}text></${prefix}comment>`
