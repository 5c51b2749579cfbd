const FREE = 0xffffffff
const END = 0xfffffffe
const TABLE = 0xfffffffd
const LIST_OF_TABLES = 0xfffffffc
const NONE = 0xffffffff

const SECTOR_BYTES = 512
const NUMBERS_A_SECTOR = SECTOR_BYTES / 4
const TABLES_IN_HEADER = 109
/** The last number of a list says where the next list is. */
const TABLES_A_LIST = NUMBERS_A_SECTOR - 1
/** Shorter streams would be kept in sectors of another size. */
const LEAST_BYTES = 4096
const ROOT = 5
const STREAM = 2

/** What old and encrypted workbooks are kept in, with one stream: its name tells which. */
export function ole2(stream: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const size = Math.max(content.length, LEAST_BYTES)
  const own = Math.ceil(size / SECTOR_BYTES)
  const { lists, tables } = tablesFor(own + 1)
  const directory = lists + tables
  const first = directory + 1
  const container = Buffer.alloc((1 + first + own) * SECTOR_BYTES)
  const offsetOf = (sector: number) => (1 + sector) * SECTOR_BYTES
  writeHeader(container, { lists, tables, directory })
  writeLists(container, { lists, tables }, offsetOf)
  container.fill(0xff, offsetOf(lists), offsetOf(directory))
  for (let sector = 0; sector < first + own; sector++) {
    const next = sector === first + own - 1 ? END : sector + 1
    const mark = sector < lists ? LIST_OF_TABLES : sector < directory ? TABLE : END
    container.writeUInt32LE(sector < first ? mark : next, offsetOf(lists) + 4 * sector)
  }
  const entries = offsetOf(directory)
  writeEntry(container, entries, { name: 'Root Entry', type: ROOT, child: 1, first: END, size: 0 })
  writeEntry(container, entries + 128, { name: stream, type: STREAM, child: NONE, first, size })
  content.copy(container, offsetOf(first))
  return container
}

interface Tables {
  /** Sectors that list the tables for which the header has no room. */
  readonly lists: number
  /** Sectors that name for each sector the one behind it. */
  readonly tables: number
}

/** They chain themselves too. */
function tablesFor(others: number): Tables {
  for (let tables = 1; ; tables++) {
    const lists = Math.ceil(Math.max(0, tables - TABLES_IN_HEADER) / TABLES_A_LIST)
    if (tables * NUMBERS_A_SECTOR >= others + tables + lists) return { lists, tables }
  }
}

function writeHeader(
  container: Buffer,
  { lists, tables, directory }: Tables & { readonly directory: number },
): void {
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(container)
  container.writeUInt16LE(0x3e, 24)
  container.writeUInt16LE(3, 26)
  container.writeUInt16LE(0xfffe, 28)
  container.writeUInt16LE(Math.log2(SECTOR_BYTES), 30)
  container.writeUInt16LE(6, 32)
  container.writeUInt32LE(tables, 44)
  container.writeUInt32LE(directory, 48)
  container.writeUInt32LE(LEAST_BYTES, 56)
  container.writeUInt32LE(END, 60)
  container.writeUInt32LE(lists === 0 ? END : 0, 68)
  container.writeUInt32LE(lists, 72)
  for (let at = 0; at < TABLES_IN_HEADER; at++) {
    container.writeUInt32LE(at < tables ? lists + at : FREE, 76 + 4 * at)
  }
}

function writeLists(
  container: Buffer,
  { lists, tables }: Tables,
  offsetOf: (sector: number) => number,
): void {
  for (let list = 0; list < lists; list++) {
    for (let at = 0; at < TABLES_A_LIST; at++) {
      const table = TABLES_IN_HEADER + list * TABLES_A_LIST + at
      container.writeUInt32LE(table < tables ? lists + table : FREE, offsetOf(list) + 4 * at)
    }
    const next = list === lists - 1 ? END : list + 1
    container.writeUInt32LE(next, offsetOf(list) + 4 * TABLES_A_LIST)
  }
}

interface Entry {
  readonly name: string
  readonly type: number
  readonly child: number
  readonly first: number
  readonly size: number
}

function writeEntry(container: Buffer, at: number, entry: Entry): void {
  const { name, type, child, first, size } = entry
  container.write(name, at, 'utf16le')
  container.writeUInt16LE(2 * name.length + 2, at + 64)
  container[at + 66] = type
  container[at + 67] = 1
  for (const sibling of [68, 72]) container.writeUInt32LE(NONE, at + sibling)
  container.writeUInt32LE(child, at + 76)
  container.writeUInt32LE(first, at + 116)
  container.writeUInt32LE(size, at + 120)
}
