import { ThriftReader } from '../file/thrift.ts'

export const PageType = { data: 0, index: 1, dictionary: 2, dataV2: 3 } as const

export const Encoding = {
  plain: 0,
  plainDictionary: 2,
  runLengths: 3,
  deltaBinaryPacked: 5,
  deltaLengthBytes: 6,
  deltaBytes: 7,
  dictionary: 8,
  byteStreamSplit: 9,
} as const

export interface PageHeader {
  type: number
  /** The size of the page after the header, compressed ... */
  bytes: number
  /** ... and expanded. */
  expandedBytes: number
  values: number
  /** How many of the values are null, and of how many rows they are; -1 where it is not stated. */
  nulls: number
  rows: number
  /** Of the bytes after the header, where the file has checksums. */
  checksum: number | null
  encoding: number
  /** Only in the second version, whose levels come first and uncompressed. */
  definitionBytes: number
  repetitionBytes: number
  isCompressed: boolean
}

/** Also returns where the header ends. Throws a `RangeError` if the bytes end too early. */
export function readPageHeader(bytes: Buffer): { header: PageHeader; end: number } {
  const thrift = new ThriftReader(bytes)
  const header: PageHeader = {
    type: -1,
    bytes: 0,
    expandedBytes: 0,
    values: 0,
    nulls: -1,
    rows: -1,
    checksum: null,
    encoding: -1,
    definitionBytes: 0,
    repetitionBytes: 0,
    isCompressed: true,
  }
  thrift.struct((field) => {
    if (field === 1) header.type = thrift.int()
    else if (field === 2) header.expandedBytes = thrift.int()
    else if (field === 3) header.bytes = thrift.int()
    else if (field === 4) header.checksum = thrift.int() >>> 0
    else if (field === 5 || field === 7) readData(thrift, header)
    else if (field === 8) readDataV2(thrift, header)
    else return false
    return
  })
  const sizes = [header.bytes, header.expandedBytes, header.values]
  if (sizes.some((size) => size < 0)) throw new RangeError('a size is negative')
  return { header, end: thrift.position }
}

/** A page of data of the first version, or a dictionary: both begin with the same two fields. */
function readData(thrift: ThriftReader, header: PageHeader): void {
  thrift.struct((field) => {
    if (field === 1) header.values = thrift.int()
    else if (field === 2) header.encoding = thrift.int()
    else return false
    return
  })
}

function readDataV2(thrift: ThriftReader, header: PageHeader): void {
  thrift.struct((field) => {
    if (field === 1) header.values = thrift.int()
    else if (field === 2) header.nulls = thrift.int()
    else if (field === 3) header.rows = thrift.int()
    else if (field === 4) header.encoding = thrift.int()
    else if (field === 5) header.definitionBytes = thrift.int()
    else if (field === 6) header.repetitionBytes = thrift.int()
    else if (field === 7) header.isCompressed = thrift.bool()
    else return false
    return
  })
}
