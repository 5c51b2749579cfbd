import { EngineError } from '../../../core/errors.ts'
import type { InputFile } from '../../../core/input.ts'
import { damagedFile, guarded, tooLarge, unsupported } from './damaged-file.ts'
import { readLogicalType, type LogicalType } from './logical-type.ts'
import { ThriftReader } from './thrift.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

const MAGIC = 'PAR1'
const MAGIC_ENCRYPTED = 'PARE'
const TAIL_BYTES = 8
const MOST_FOOTER_BYTES = 32 * 1024 * 1024
const MOST_CHUNKS = 1_000_000

export const PhysicalType = {
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  float: 4,
  double: 5,
  bytes: 6,
  fixedBytes: 7,
} as const
export type PhysicalType = (typeof PhysicalType)[keyof typeof PhysicalType]

export const Repetition = { required: 0, optional: 1, repeated: 2 } as const

/** One node of the schema. The footer lists each node before its children. */
export interface SchemaElement {
  name: string
  /** Absent for a group. */
  type?: PhysicalType
  typeLength: number
  repetition: number
  children: number
  convertedType?: number
  scale: number
  logicalType?: LogicalType
}

/** The pages of one leaf in one row group. */
export interface ColumnChunk {
  type: number
  codec: number
  values: number
  from: number
  bytes: number
  /** So far it may reach beyond its bytes if it has a dictionary: into what belongs to no other. */
  slack: number
}

export interface RowGroup {
  rows: number
  chunks: ColumnChunk[]
}

export interface FileMetadata {
  readonly schema: readonly SchemaElement[]
  readonly rows: number
  readonly rowGroups: readonly RowGroup[]
  readonly createdBy: string | null
}

export async function readFileMetadata(file: InputFile): Promise<FileMetadata> {
  if (file.size < TAIL_BYTES + MAGIC.length) throw damagedFile(parquetMessages.tooShort())
  const tail = await file.read(file.size - TAIL_BYTES, TAIL_BYTES)
  const magic = tail.toString('latin1', 4)
  if (magic === MAGIC_ENCRYPTED) throw encrypted()
  if (magic !== MAGIC) throw damagedFile(parquetMessages.noEnd())
  const length = tail.readUInt32LE(0)
  if (length > file.size - TAIL_BYTES - MAGIC.length) throw damagedFile(parquetMessages.cutFooter())
  if (length > MOST_FOOTER_BYTES) throw tooLarge(parquetMessages.longFooter(), 'parquetFooter')
  const footer = await file.read(file.size - TAIL_BYTES - length, length)
  const metadata = guarded(parquetMessages.footer(), () => parseFooter(footer, file.size))
  giveSlack(metadata.rowGroups, file.size - TAIL_BYTES - length)
  return metadata
}

/** No header of a dictionary is longer. */
const MOST_SLACK = 100

/**
 * Programs of the first years left the header of its dictionary out of a column's bytes, which then
 * end before its last page does. In a file without gaps between its columns nobody has any slack.
 */
function giveSlack(groups: readonly RowGroup[], footerFrom: number): void {
  const chunks = groups.flatMap((group) => group.chunks).toSorted((a, b) => a.from - b.from)
  for (const [at, chunk] of chunks.entries()) {
    const free = (chunks[at + 1]?.from ?? footerFrom) - chunk.from - chunk.bytes
    chunk.slack = Math.max(0, Math.min(MOST_SLACK, free))
  }
}

function parseFooter(footer: Buffer, fileBytes: number): FileMetadata {
  const thrift = new ThriftReader(footer)
  const schema: SchemaElement[] = []
  const rowGroups: RowGroup[] = []
  let rows = 0
  let chunks = 0
  let createdBy: string | null = null
  thrift.struct((field) => {
    switch (field) {
      case 2:
        thrift.list(() => schema.push(readSchemaElement(thrift)))
        return
      case 3:
        rows = thrift.int()
        return
      case 4:
        thrift.list(() => {
          const group = readRowGroup(thrift, fileBytes)
          chunks += group.chunks.length
          if (chunks > MOST_CHUNKS)
            throw tooLarge(parquetMessages.manyRowGroups(), 'parquetRowGroups')
          rowGroups.push(group)
        })
        return
      case 6:
        createdBy = thrift.text()
        return
      case 8:
        throw encrypted()
      default:
        return false
    }
  })
  if (rowGroups.reduce((sum, group) => sum + group.rows, 0) !== rows) {
    throw damagedFile(parquetMessages.otherRows())
  }
  return { schema, rows, rowGroups, createdBy }
}

function readSchemaElement(thrift: ThriftReader): SchemaElement {
  const element: SchemaElement = { name: '', typeLength: 0, repetition: 0, children: 0, scale: 0 }
  thrift.struct((field) => {
    switch (field) {
      case 1:
        element.type = thrift.int() as PhysicalType
        return
      case 2:
        element.typeLength = thrift.int()
        return
      case 3:
        element.repetition = thrift.int()
        return
      case 4:
        element.name = thrift.text()
        return
      case 5:
        element.children = thrift.int()
        return
      case 6:
        element.convertedType = thrift.int()
        return
      case 7:
        element.scale = thrift.int()
        return
      case 10:
        element.logicalType = readLogicalType(thrift)
        return
      default:
        return false
    }
  })
  return element
}

function readRowGroup(thrift: ThriftReader, fileBytes: number): RowGroup {
  const group: RowGroup = { rows: 0, chunks: [] }
  thrift.struct((field) => {
    if (field === 1) thrift.list(() => group.chunks.push(readChunk(thrift, fileBytes)))
    else if (field === 3) group.rows = thrift.int()
    else return false
    return
  })
  if (group.rows < 0) throw new RangeError('a row group has a negative number of rows')
  return group
}

function readChunk(thrift: ThriftReader, fileBytes: number): ColumnChunk {
  let found: ColumnChunk | null = null
  thrift.struct((field) => {
    if (field === 3) found = readChunkMetadata(thrift)
    else if (field === 1 && thrift.binary().length > 0) {
      throw unsupported(parquetMessages.columnsElsewhere())
    } else if (field === 8) throw encrypted()
    else if (field !== 1) return false
    return
  })
  const chunk = found as ColumnChunk | null
  if (chunk === null) throw new RangeError('a column has no metadata')
  if (chunk.from < 0 || chunk.bytes < 0 || chunk.from + chunk.bytes > fileBytes) {
    throw new RangeError('a column lies outside of the file')
  }
  return chunk
}

function readChunkMetadata(thrift: ThriftReader): ColumnChunk {
  const chunk: ColumnChunk = { type: -1, codec: 0, values: 0, from: 0, bytes: 0, slack: 0 }
  let dataFrom = 0
  let dictionaryFrom: number | null = null
  thrift.struct((field) => {
    switch (field) {
      case 1:
        chunk.type = thrift.int()
        return
      case 4:
        chunk.codec = thrift.int()
        return
      case 5:
        chunk.values = thrift.int()
        return
      case 7:
        chunk.bytes = thrift.int()
        return
      case 9:
        dataFrom = thrift.int()
        return
      case 11:
        dictionaryFrom = thrift.int()
        return
      default:
        return false
    }
  })
  // Some programs write 0 if there is no dictionary.
  const dictionaryFirst = (dictionaryFrom ?? 0) > 0 && dictionaryFrom! < dataFrom
  chunk.from = dictionaryFirst ? dictionaryFrom! : dataFrom
  return chunk
}

function encrypted(): EngineError {
  return new EngineError(parquetMessages.encrypted(), { kind: 'format' })
}
