import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'

import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors'

import { damagedFile, unsupported } from '../file/damaged-file.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'
import { expandSnappy } from './expand-snappy.ts'

type Decompress = (bytes: Buffer, length: number) => Uint8Array

/** By the codec's number in the format; 3 is LZO, which nobody writes. */
const CODECS: Readonly<Record<number, Decompress>> = {
  0: (bytes) => bytes,
  1: expandSnappy,
  2: (bytes, length) =>
    // Some programs write zlib's own frame.
    bytes[0] === 0x1f
      ? gunzipSync(bytes, { maxOutputLength: length })
      : inflateSync(bytes, { maxOutputLength: length }),
  4: (bytes, length) => brotliDecompressSync(bytes, { maxOutputLength: length }),
  5: (bytes, length) => decompressLz4(bytes, length),
  6: (bytes, length) =>
    zstdDecompressSync(bytes, {
      maxOutputLength: length,
      params: { [constants.ZSTD_d_windowLogMax]: 27 },
    }),
  7: (bytes, length) => decompressLz4Raw(bytes, length),
}

/** `length`: the size of the result, which the page states. */
export function decompress(codec: number, bytes: Buffer, length: number): Buffer {
  const decompressOne = CODECS[codec]
  if (decompressOne === undefined) throw unsupported(parquetMessages.unusualCompression({ codec }))
  if (length === 0) return Buffer.alloc(0)
  const expanded = decompressOne(bytes, length)
  if (expanded.length !== length) throw damagedFile(parquetMessages.otherPageSize())
  return Buffer.from(expanded.buffer, expanded.byteOffset, expanded.length)
}
