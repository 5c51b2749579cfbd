import { cutText } from '../../core/cut-text.ts'
import { EngineError } from '../../core/errors.ts'
import type { ArchiveEntry, ArchiveWording, Input } from '../../core/input.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { PartFlow } from '../excel/archive/open-archive.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import type { Book } from '../excel/sheet/book.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { XmlSheet } from '../excel/sheet/xml-sheet.ts'
import { listTables } from './list-tables.ts'
import { readOdsStyles } from './ods-styles.ts'
import { odsMessages } from './messages.ts'
import { TableHandler } from './table-handler.ts'

const CONTENT = 'content.xml'
const STYLES = 'styles.xml'
const MIME_TYPE = 'mimetype'
const MANIFEST = 'META-INF/manifest.xml'
const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet'
const MOST_MIME_BYTES = 200
const MOST_MANIFEST_BYTES = 1024 * 1024

const WORDING: ArchiveWording = {
  noun: odsMessages.spreadsheet(),
  cure: odsMessages.cure(),
  encrypted: withPassword,
}

export async function openOdsBook(input: Input, context: ReadContext): Promise<Book> {
  const { archive } = input
  await refuseEncrypted(archive?.entries ?? [])
  const content = archive?.entries.filter(({ name }) => name === CONTENT)
  if (archive === null || content?.length !== 1) {
    throw new EngineError(odsMessages.notOds(), { kind: 'format' })
  }
  await refuseOtherDocuments(archive.entries)
  const open = () => openPart(content[0]!)
  const common = archive.entries.find(({ name }) => name === STYLES)
  const styles = await readOdsStyles(
    common === undefined ? null : await openPart(common),
    await open(),
    context.signal,
  )
  const tables = await listTables(await open(), styles, context.signal)
  const { signal } = context
  return {
    sheets: tables.map(({ name, state }) => ({ name, state, hasCells: true })),
    sourceBytes: archive.sourceBytes,
    describe: () => ({}),
    async openSheet({ name }) {
      const table = tables.find((one) => one.name === name)!
      const budget = new TextBudget(name, context)
      return new XmlSheet(
        { part: await open(), from: table.at, signal },
        (handOn) => new TableHandler(new BlockWriter(budget), styles, handOn),
      )
    },
    close: async () => {},
  }
}

async function openPart(entry: ArchiveEntry): Promise<PartFlow> {
  return Object.assign(await entry.open(WORDING), { part: entry.name })
}

async function refuseOtherDocuments(entries: readonly ArchiveEntry[]): Promise<void> {
  const entry = entries.find(({ name }) => name === MIME_TYPE)
  if (entry === undefined || entry.bytes > MOST_MIME_BYTES) return
  const flow = await entry.open(WORDING)
  try {
    const type = ((await flow.next()) ?? Buffer.alloc(0)).toString('latin1')
    if (type.startsWith(SPREADSHEET)) return
    throw new EngineError(odsMessages.otherDocument({ type: cutText(type, 80) }), {
      kind: 'format',
    })
  } finally {
    await flow.close()
  }
}

/** Parts are encrypted one by one, as the manifest says. */
async function refuseEncrypted(entries: readonly ArchiveEntry[]): Promise<void> {
  const entry = entries.find(({ name }) => name === MANIFEST)
  if (entry === undefined || entry.bytes > MOST_MANIFEST_BYTES) return
  const flow = await entry.open(WORDING)
  try {
    const parts: Buffer[] = []
    for (let part = await flow.next(); part !== null; part = await flow.next()) {
      parts.push(Buffer.from(part))
    }
    if (Buffer.concat(parts).includes('encryption-data')) throw withPassword()
  } finally {
    await flow.close()
  }
}

function withPassword(): EngineError {
  return new EngineError(odsMessages.password(), { kind: 'format' })
}
