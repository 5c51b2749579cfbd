import { setImmediate as nextTurn } from 'node:timers/promises'

import { EngineError } from '../../core/errors.ts'
import type { PartFlow } from '../excel/archive/open-archive.ts'
import { OWN_NAME, sheetOfReference } from '../excel/workbook/own-sheet.ts'
import type { SheetState } from '../excel/sheet/book.ts'
import { toUtf8 } from '../excel/xml/to-utf8.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import { XmlScanner } from '../excel/xml/xml-scanner.ts'
import type { OdsStyles } from './ods-styles.ts'
import { xmlMessages } from '../excel/xml/messages.ts'
import { odsMessages } from './messages.ts'

const TABLE_TAG = Buffer.from('<table:table ')
const NAMED_TAG = Buffer.from('<table:named-range ')
const MOST_TAG_BYTES = 64 * 1024
const MOST_TABLES = 10_000

/** Cells of another file that formulas refer to: stored by the program, but never shown. */
const OF_ANOTHER_FILE = /^'[a-z]+:.*'#/i

const TABLE = xmlName('table')
const NAME = xmlName('name')
const STYLE_NAME = xmlName('style-name')
const NAMED = xmlName('named-range')
const ADDRESS = xmlName('cell-range-address')

interface OdsTable {
  readonly name: string
  readonly state: SheetState
  /** Where its tag begins in the content as UTF-8. */
  readonly at: number
}

/**
 * The tables of the content, by the bytes of their tags: in XML, `<` occurs nowhere else, and
 * searching for bytes is many times faster than parsing everything in between.
 */
export async function listTables(
  part: PartFlow,
  styles: OdsStyles,
  signal: AbortSignal,
): Promise<readonly OdsTable[]> {
  const tables: OdsTable[] = []
  const references: string[] = []
  try {
    const text = await toUtf8(part)
    let held: Buffer = Buffer.alloc(0)
    let heldAt = 0
    for (;;) {
      const chunk = await text.next()
      if (chunk === null) break
      await nextTurn()
      signal.throwIfAborted()
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const kept = takeTables(held, heldAt, styles, { tables, references })
      heldAt += kept
      held = Buffer.from(held.subarray(kept))
    }
  } finally {
    await part.close()
  }
  if (tables.length === 0) throw new EngineError(odsMessages.noSheet(), { kind: 'empty' })
  const own = references.map(sheetOfReference)
  return tables.filter(({ name }) => !own.includes(name))
}

interface Found {
  readonly tables: OdsTable[]
  /** What the list of errors of a file that was given back is called by. */
  readonly references: string[]
}

/** Returns the position from which the bytes have to be examined again. */
function takeTables(bytes: Buffer, at: number, styles: OdsStyles, into: Found): number {
  const { tables, references } = into
  let from = 0
  for (;;) {
    const found = firstOf(bytes.indexOf(TABLE_TAG, from), bytes.indexOf(NAMED_TAG, from))
    if (found === -1) return Math.max(from, bytes.length - NAMED_TAG.length + 1)
    const end = bytes.indexOf('>', found)
    if (end === -1 && bytes.length - found < MOST_TAG_BYTES) return found
    if (end === -1) throw tooLongATag()
    if (tables.length === MOST_TABLES) throw tooManyTables()
    const { table, reference } = tagAt(bytes.subarray(found, end + 1), at + found, styles)
    if (reference !== null) references.push(reference)
    else if (!OF_ANOTHER_FILE.test(table.name)) tables.push(table)
    from = end + 1
  }
}

/** -1: there is none. */
const firstOf = (one: number, other: number): number =>
  one === -1 || other === -1 ? Math.max(one, other) : Math.min(one, other)

interface Tag {
  readonly table: OdsTable
  /** Null: it is the tag of a table. */
  readonly reference: string | null
}

function tagAt(tag: Buffer, at: number, { hiddenTables }: OdsStyles): Tag {
  let table: OdsTable = { name: '', state: 'visible', at }
  let reference: string | null = null
  const scanner = new XmlScanner(
    {
      open(name, attributes) {
        if (name === NAMED) {
          const isOwn = attributes.text(NAME) === OWN_NAME
          reference = isOwn ? (attributes.text(ADDRESS) ?? '').replace(/\.(?=[^.]*$)/, '!') : ''
        }
        if (name !== TABLE) return
        const isHidden = hiddenTables.has(attributes.text(STYLE_NAME) ?? '')
        table = {
          name: attributes.text(NAME) ?? '',
          state: isHidden ? 'hidden' : 'visible',
          at,
        }
      },
      close() {},
      text() {},
    },
    'content.xml',
  )
  scanner.feed(tag)
  scanner.run()
  return { table, reference }
}

function tooLongATag(): EngineError {
  return new EngineError(xmlMessages.longTag(), {
    kind: 'limit',
    limit: 'xmlTag',
  })
}

function tooManyTables(): EngineError {
  return new EngineError(odsMessages.manySheets({ most: MOST_TABLES }), {
    kind: 'limit',
    limit: 'sheets',
  })
}
