import { createHash } from 'node:crypto'

import { withPassword } from '../container/damaged-workbook.ts'
import { Biff, type BiffRecord } from './record-types.ts'
import { xorMask } from './xor-mask.ts'

/** The password that Excel uses if a workbook is only protected against changes. */
const DEFAULT_PASSWORD = 'VelvetSweatshop'
const BLOCK_BYTES = 1024
const HEAD_BYTES = 4
const XOR = 0
const RC4 = 1
const SALT_BYTES = 16

/** Records that are never encrypted: interface header, exclusive use, locks, revisions. */
const IN_CLEAR: ReadonlySet<number> = new Set([
  Biff.begin,
  Biff.filePass,
  0xe1,
  0x138,
  0x194,
  0x195,
  0x196,
])

/** Decrypts records of a workbook with Excel's own default password. */
export interface Cipher {
  decrypt(record: BiffRecord): BiffRecord
}

/** Created from the record that says how the rest is encrypted. */
export function openCipher({ bytes, start, end }: BiffRecord): Cipher {
  const data = bytes.subarray(start, end)
  if (data.length === 4) return xorCipher(data)
  if (data.length >= 6 && data.readUInt16LE(0) === XOR) return xorCipher(data.subarray(2))
  if (data.length < 6 || data.readUInt16LE(0) !== RC4) throw withPassword()
  const version = data.readUInt16LE(2)
  const keyOf = version === 1 ? standardKeys(data) : capiKeys(data)
  return { decrypt: (record) => decrypted(record, keyOf) }
}

/** Its key and hash show whether the password is right. */
function xorCipher(data: Buffer): Cipher {
  const mask = xorMask(data.readUInt16LE(0), data.readUInt16LE(2), DEFAULT_PASSWORD)
  if (mask === null) throw withPassword()
  return {
    decrypt(record) {
      if (IN_CLEAR.has(record.type)) return record
      const bytes = Buffer.from(record.bytes.subarray(record.start, record.end))
      // The position and the length of a record determine where the mask begins.
      const from = record.at + HEAD_BYTES + bytes.length
      for (let index = clearBytes(record); index < bytes.length; index++) {
        const byte = bytes[index]!
        bytes[index] = ((byte << 3) | (byte >> 5)) ^ mask[(from + index) % mask.length]!
      }
      return { ...record, bytes, start: 0, end: bytes.length }
    },
  }
}

type KeyOf = (block: number) => Buffer

function standardKeys(data: Buffer): KeyOf {
  const salt = data.subarray(6, 6 + SALT_BYTES)
  const verifier = data.subarray(22, 38)
  const hash = data.subarray(38, 54)
  if (hash.length < 16) throw withPassword()
  const password = md5(Buffer.from(DEFAULT_PASSWORD, 'utf16le')).subarray(0, 5)
  const salted = Buffer.concat(Array.from({ length: 16 }, () => [password, salt]).flat())
  const common = md5(salted).subarray(0, 5)
  const keyOf: KeyOf = (block) => md5(Buffer.concat([common, uint32(block)]))
  check(keyOf, verifier, hash, md5)
  return keyOf
}

function capiKeys(data: Buffer): KeyOf {
  if (data.length < 14) throw withPassword()
  const headerBytes = data.readUInt32LE(10)
  const behind = 14 + headerBytes
  if (data.length < behind + 56 || headerBytes < 32) throw withPassword()
  const keyBits = data.readUInt32LE(14 + 16)
  const keyBytes = keyBits === 0 ? 5 : keyBits / 8
  const salt = data.subarray(behind + 4, behind + 20)
  const verifier = data.subarray(behind + 20, behind + 36)
  const hash = data.subarray(behind + 40, behind + 60)
  const common = sha1(Buffer.concat([salt, Buffer.from(DEFAULT_PASSWORD, 'utf16le')]))
  const keyOf: KeyOf = (block) => {
    const key = sha1(Buffer.concat([common, uint32(block)])).subarray(0, keyBytes)
    return keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key
  }
  check(keyOf, verifier, hash, sha1)
  return keyOf
}

/** A text and its hash, both encrypted, show whether the password is right. */
function check(
  keyOf: KeyOf,
  verifier: Buffer,
  hash: Buffer,
  digest: (bytes: Buffer) => Buffer,
): void {
  const key = new Rc4(keyOf(0))
  const plain = Buffer.from(verifier.map((byte) => byte ^ key.next()))
  const plainHash = Buffer.from(hash.map((byte) => byte ^ key.next()))
  if (!digest(plain).equals(plainHash)) throw withPassword()
}

/** Every block of the stream has a new key; it also advances over unencrypted bytes. */
function decrypted(record: BiffRecord, keyOf: KeyOf): BiffRecord {
  if (IN_CLEAR.has(record.type)) return record
  const bytes = Buffer.from(record.bytes.subarray(record.start, record.end))
  const clear = clearBytes(record)
  const from = record.at + HEAD_BYTES
  let block = -1
  let key: Rc4 | null = null
  // Read once: inside the loop it costs more than reading a byte.
  const { length } = bytes
  for (let index = 0; index < length; index++) {
    const at = from + index
    if (key === null || Math.floor(at / BLOCK_BYTES) !== block) {
      block = Math.floor(at / BLOCK_BYTES)
      key = new Rc4(keyOf(block))
      key.pass(at % BLOCK_BYTES)
    }
    const mask = key.next()
    if (index >= clear) bytes[index] = bytes[index]! ^ mask
  }
  return { ...record, bytes, start: 0, end: bytes.length }
}

/** The position of a sheet is not encrypted. */
function clearBytes({ type }: BiffRecord): number {
  return type === Biff.boundSheet ? 4 : 0
}

/** Implemented here, since OpenSSL no longer offers it. */
class Rc4 {
  readonly #state = Uint8Array.from({ length: 256 }, (_, at) => at)
  #i = 0
  #j = 0

  constructor(key: Buffer) {
    const state = this.#state
    for (let i = 0, j = 0; i < 256; i++) {
      j = (j + state[i]! + key[i % key.length]!) & 255
      const held = state[i]!
      state[i] = state[j]!
      state[j] = held
    }
  }

  next(): number {
    const state = this.#state
    this.#i = (this.#i + 1) & 255
    const one = state[this.#i]!
    this.#j = (this.#j + one) & 255
    const other = state[this.#j]!
    state[this.#i] = other
    state[this.#j] = one
    return state[(one + other) & 255]!
  }

  pass(length: number): void {
    for (let left = length; left > 0; left--) this.next()
  }
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}

function sha1(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest()
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
