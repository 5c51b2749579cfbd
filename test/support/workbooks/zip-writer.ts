import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | string
  readonly method?: 'deflate' | 'store'
  /** Instead of that of the method. */
  readonly methodNumber?: number
  /** General purpose flags; bit 0 says that the entry is encrypted. */
  readonly flags?: number
  /** Instead of the true ones. */
  readonly crc?: number
  readonly size?: number
  /** Instead of the deflated content. */
  readonly deflated?: Buffer
}

const UTF8_NAMES = 0x800

/** Writes archives exactly as told, broken ones too, which no library does. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { header, data, name } = describe(entry)
    const local = Buffer.concat([signature(0x04034b50), header, lengths(name), name, data])
    const position = Buffer.alloc(14)
    position.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 0])
    centrals.push(
      Buffer.concat([signature(0x02014b50), madeBy, header, lengths(name), position, name]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

function describe(entry: ZipEntry): { header: Buffer; data: Buffer; name: Buffer } {
  const content = Buffer.from(entry.content)
  const stored = entry.method === 'store'
  const data = entry.deflated ?? (stored ? content : deflateRawSync(content))
  const header = Buffer.alloc(22)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE((entry.flags ?? 0) | UTF8_NAMES, 2)
  header.writeUInt16LE(entry.methodNumber ?? (stored ? 0 : 8), 4)
  header.writeUInt32LE(entry.crc ?? crc32(content), 10)
  header.writeUInt32LE(data.length, 14)
  header.writeUInt32LE(entry.size ?? content.length, 18)
  return { header, data, name: Buffer.from(entry.name) }
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Of the name and of the extra field, which is never there. */
function lengths(name: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16LE(name.length)
  return bytes
}
