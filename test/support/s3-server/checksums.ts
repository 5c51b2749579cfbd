import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export interface Checksum {
  update(bytes: Buffer): void
  base64(): string
}

/** By the name that follows `x-amz-checksum-`. */
export const CHECKSUMS: Readonly<Record<string, () => Checksum>> = {
  crc32: crc32Checksum,
  crc32c: crc32cChecksum,
  crc64nvme: crc64NvmeChecksum,
  sha1: () => hashChecksum('sha1'),
  sha256: () => hashChecksum('sha256'),
}

function hashChecksum(algorithm: string): Checksum {
  const hash = createHash(algorithm)
  return { update: (bytes) => void hash.update(bytes), base64: () => hash.digest('base64') }
}

function crc32Checksum(): Checksum {
  let value = 0
  return {
    update(bytes) {
      value = crc32(bytes, value)
    },
    base64: () => wordBase64(value),
  }
}

function crc32cChecksum(): Checksum {
  const table = new Uint32Array(256)
  for (let index = 0; index < 256; index += 1) {
    let value = index
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
    table[index] = value
  }
  let state = 0xffffffff
  return {
    update(bytes) {
      for (const byte of bytes) state = (state >>> 8) ^ table[(state ^ byte) & 0xff]!
    },
    base64: () => wordBase64((state ^ 0xffffffff) >>> 0),
  }
}

/** CRC-64/NVME, in two halves of 32 bits, since BigInt per byte is too slow. */
function crc64NvmeChecksum(): Checksum {
  const polynomial = 0x9a6c9329ac4bc9b5n
  const high = new Uint32Array(256)
  const low = new Uint32Array(256)
  for (let index = 0; index < 256; index += 1) {
    let value = BigInt(index)
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n
    high[index] = Number(value >> 32n)
    low[index] = Number(value & 0xffffffffn)
  }
  let [upper, lower] = [0xffffffff, 0xffffffff]
  return {
    update(bytes) {
      for (const byte of bytes) {
        const index = (lower ^ byte) & 0xff
        lower = ((lower >>> 8) | (upper << 24)) ^ low[index]!
        upper = (upper >>> 8) ^ high[index]!
      }
    },
    base64() {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE((upper ^ 0xffffffff) >>> 0, 0)
      bytes.writeUInt32BE((lower ^ 0xffffffff) >>> 0, 4)
      return bytes.toString('base64')
    },
  }
}

function wordBase64(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes.toString('base64')
}
