import { crc32 } from 'node:zlib'

/** A field of Thrift's compact protocol: a whole number, a text, a list of structs, or a struct. */
type Field = number | string | readonly Fields[] | { readonly struct: Fields }
interface Fields {
  readonly [id: number]: Field
}

/** What a file of one column of whole numbers says of itself; each can be a lie. */
export interface RawParquet {
  readonly values?: readonly number[]
  readonly rows?: number
  readonly groupRows?: number
  readonly chunkValues?: number
  readonly chunkBytes?: number
  readonly chunkType?: number
  readonly pageValues?: number
  readonly pageBytes?: number
  readonly expandedBytes?: number
  readonly checksum?: number
  /** Instead of the values: a run of one word of a dictionary that holds them. */
  readonly run?: number
}

const INT32 = 1
const PLAIN = 0
const RLE = 3
const DICTIONARY = 8

export function rawParquet(given: RawParquet = {}): Buffer {
  const { values = [1, 2, 3], run } = given
  const plain = Buffer.concat(values.map(int32))
  const count = run ?? values.length
  const indexes = Buffer.concat([Buffer.of(1), unsigned(2 * count), Buffer.of(0)])
  const first =
    run === undefined
      ? Buffer.alloc(0)
      : page(2, plain, { 7: { struct: { 1: values.length, 2: PLAIN } } })
  const body = run === undefined ? plain : indexes
  const encoding = run === undefined ? PLAIN : DICTIONARY
  const data = page(0, body, {
    2: given.expandedBytes ?? body.length,
    3: given.pageBytes ?? body.length,
    4: given.checksum ?? crc32(body) | 0,
    5: { struct: { 1: given.pageValues ?? count, 2: encoding, 3: RLE, 4: RLE } },
  })
  const pages = Buffer.concat([Buffer.from('PAR1'), first, data])
  const chunk: Fields = {
    1: given.chunkType ?? INT32,
    4: 0,
    5: given.chunkValues ?? count,
    6: pages.length - 4,
    7: given.chunkBytes ?? pages.length - 4,
    9: 4 + first.length,
    ...(run !== undefined && { 11: 4 }),
  }
  const footer = struct({
    1: 1,
    2: [
      { 4: 'table', 5: 1 },
      { 1: INT32, 3: 0, 4: 'n' },
    ],
    3: given.rows ?? count,
    4: [
      {
        1: [{ 2: 0, 3: { struct: chunk } }],
        2: pages.length,
        3: given.groupRows ?? given.rows ?? count,
      },
    ],
  })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([pages, footer, length, Buffer.from('PAR1')])
}

function page(type: number, body: Buffer, fields: Fields): Buffer {
  return Buffer.concat([struct({ 1: type, 2: body.length, 3: body.length, ...fields }), body])
}

function struct(fields: Fields): Buffer {
  const parts: Buffer[] = []
  let before = 0
  for (const [name, field] of Object.entries(fields)) {
    const id = Number(name)
    parts.push(Buffer.of(((id - before) << 4) | typeOf(field)), valueOf(field as Field))
    before = id
  }
  return Buffer.concat([...parts, Buffer.of(0)])
}

function typeOf(field: Field): number {
  if (typeof field === 'number') return 5
  if (typeof field === 'string') return 8
  return Array.isArray(field) ? 9 : 12
}

function valueOf(field: Field): Buffer {
  if (typeof field === 'number') return unsigned(field < 0 ? -2 * field - 1 : 2 * field)
  if (typeof field === 'string') return Buffer.concat([unsigned(field.length), Buffer.from(field)])
  if ('struct' in field) return struct(field.struct)
  return Buffer.concat([Buffer.of((field.length << 4) | 12), ...field.map(struct)])
}

function unsigned(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  return Buffer.of(...bytes, left)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
