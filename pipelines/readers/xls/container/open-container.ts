import type { InputFile } from '../../../core/input.ts'
import { damagedWorkbook } from './damaged-workbook.ts'
import { ContainerStream, type Sectors } from './container-stream.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const MINI_SECTOR_BYTES = 64
/** Sector numbers from here on are marks: the end of a chain, a free sector ... */
const FIRST_MARK = 0xfffffffa
const SECTORS_IN_HEADER = 109
const MOST_ENTRIES = 100_000
const STREAM = 2
const ROOT = 5

interface Entry {
  readonly name: string
  readonly type: number
  readonly first: number
  readonly size: number
}

/** An OLE2 container: a file system in a file, whose sectors are chained by a table. */
interface Container {
  readonly names: readonly string[]
  /** Null if there is none with that name; case does not count. */
  open(name: string): Promise<ContainerStream | null>
}

export async function openContainer(file: InputFile): Promise<Container> {
  const header = await file.read(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES) throw damagedWorkbook(xlsMessages.tooShort())
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damagedWorkbook(xlsMessages.noSectors())
  const sectorBytes = 1 << shift
  const offsetOf = (sector: number) => (sector + 1) * sectorBytes
  const table = await readTable(file, header, sectorBytes, offsetOf)
  const sectors: Sectors = { file, table, sectorBytes, offsetOf }
  const entries = await readDirectory(new ContainerStream(sectors, header.readUInt32LE(48), null))
  const root = entries.find(({ type }) => type === ROOT)
  if (root === undefined) throw damagedWorkbook(xlsMessages.noDirectory())
  const leastBytes = header.readUInt32LE(56)
  return {
    names: entries.map(({ name }) => name),
    async open(name) {
      const found = entries.find(
        (entry) => entry.type === STREAM && entry.name.toLowerCase() === name.toLowerCase(),
      )
      if (found === undefined) return null
      if (found.size >= leastBytes) {
        return new ContainerStream(sectors, found.first, found.size)
      }
      return await openSmall(sectors, header.readUInt32LE(60), root, found)
    },
  }
}

/** Small streams share sectors of the root's own stream. */
async function openSmall(
  sectors: Sectors,
  firstOfTable: number,
  root: Entry,
  entry: Entry,
): Promise<ContainerStream> {
  const shared = await new ContainerStream(sectors, root.first, root.size).readAll()
  const tableBytes = await new ContainerStream(sectors, firstOfTable, null).readAll()
  const table = new Uint32Array(tableBytes.length >> 2)
  for (const at of table.keys()) table[at] = tableBytes.readUInt32LE(4 * at)
  const file = {
    ...sectors.file,
    size: shared.length,
    read: async (from: number, length: number) => shared.subarray(from, from + length),
  }
  const offsetOf = (sector: number) => sector * MINI_SECTOR_BYTES
  const small = { file, table, sectorBytes: MINI_SECTOR_BYTES, offsetOf }
  return new ContainerStream(small, entry.first, entry.size)
}

/** For each sector the next one. */
async function readTable(
  file: InputFile,
  header: Buffer,
  sectorBytes: number,
  offsetOf: (sector: number) => number,
): Promise<Uint32Array> {
  const most = Math.ceil(file.size / sectorBytes)
  const perSector = sectorBytes / 4
  const parts: number[] = []
  for (let at = 0; at < SECTORS_IN_HEADER; at++) parts.push(header.readUInt32LE(76 + 4 * at))
  let next = header.readUInt32LE(68)
  while (next < FIRST_MARK && parts.length <= most) {
    const more = await file.read(offsetOf(next), sectorBytes)
    if (more.length < sectorBytes) throw damagedWorkbook(xlsMessages.cutSectors())
    for (let at = 0; at < perSector - 1; at++) parts.push(more.readUInt32LE(4 * at))
    next = more.readUInt32LE(sectorBytes - 4)
  }
  const used = parts.filter((sector) => sector < FIRST_MARK).slice(0, Math.ceil(most / perSector))
  const table = new Uint32Array(used.length * perSector).fill(FIRST_MARK)
  for (const [part, sector] of used.entries()) {
    const bytes = await file.read(offsetOf(sector), sectorBytes)
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      table[part * perSector + at / 4] = bytes.readUInt32LE(at)
    }
  }
  return table
}

async function readDirectory(stream: ContainerStream): Promise<Entry[]> {
  const bytes = await stream.readAll(MOST_ENTRIES * ENTRY_BYTES)
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(Math.max(0, bytes.readUInt16LE(at + 64) - 2), 62)
    entries.push({
      name: bytes.toString('utf16le', at, at + nameBytes),
      type: bytes[at + 66]!,
      first: bytes.readUInt32LE(at + 116),
      size: bytes.readUInt32LE(at + 120),
    })
  }
  return entries
}
