import { gzipSync } from 'node:zlib'

import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { badFile, type BadFile, EMPTY, UNSUPPORTED } from './bad-file.ts'
import { noise } from './noise.ts'

const HEADER_BYTES = 10
const TRAILER_BYTES = 8

const says = /cut short|corrupt|truncated or damaged/

/** Packed data that is broken in every place it has. */
export function brokenGzip(): BadFile[] {
  const rows = Array.from({ length: 2_000 }, (_, row) => `${row},${(row * 7919).toString(36)}`)
  const packed = gzipSync(`id,text\n${rows.join('\n')}\n`)
  const packedJson = gzipSync(JSON.stringify(rows.map((text, id) => ({ id, text }))))
  const packedWorkbook = gzipSync(
    rawWorkbook({ sheets: [{ rows: rows.map((row) => textRow(...row.split(','))).join('') }] }),
  )
  const cuts = [
    3,
    HEADER_BYTES - 1,
    HEADER_BYTES,
    HEADER_BYTES + 1,
    ...[0.1, 0.25, 0.5, 0.75, 0.9].map((share) => Math.floor(packed.length * share)),
    ...[TRAILER_BYTES + 1, TRAILER_BYTES, 4, 1].map((left) => packed.length - left),
  ]
  const flips = Array.from(
    { length: 12 },
    (_, nth) => HEADER_BYTES + Math.floor(((packed.length - HEADER_BYTES) * nth) / 12),
  )
  const broken: Readonly<Record<string, Buffer>> = {
    ...Object.fromEntries(
      cuts.map((bytes) => [`cut after ${bytes} bytes`, packed.subarray(0, bytes)]),
    ),
    ...Object.fromEntries(
      flips.map((at) => [`byte ${at} flipped`, withByte(packed, at, packed[at]! ^ 0xff)]),
    ),
    'an extra field without an end': withByte(packed, 3, 4),
    'reserved flags': withByte(packed, 3, 0xe0),
    'another length': withByte(packed, packed.length - 1, 0x7f),
    'another checksum': withByte(packed, packed.length - 5, packed.at(-5)! ^ 1),
    'noise for data': Buffer.concat([packed.subarray(0, HEADER_BYTES), noise(4_000)]),
    'a second member that is cut': Buffer.concat([packed, packed.subarray(0, 500)]),
    'JSON cut in the middle': cutAt(packedJson, 0.5),
    'a workbook cut in the middle': cutAt(packedWorkbook, 0.5),
    'a workbook cut near the end': cutAt(packedWorkbook, 0.95),
  }
  return [
    ...Object.entries(broken).map(([name, bytes]) => badFile(name, bytes, { says })),
    badFile('text behind the data', Buffer.concat([packed, Buffer.from('and more')]), {
      says: /not gzip/,
    }),
    badFile('packed twice', gzipSync(packed), { code: UNSUPPORTED, says: /gzip more than once/ }),
    badFile('nothing inside', gzipSync(''), { code: EMPTY, says: /empty/ }),
  ]
}

export function cutAt(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * share))
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value & 0xff
  return changed
}
