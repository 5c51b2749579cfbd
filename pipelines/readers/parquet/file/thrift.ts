/** Types of Thrift's compact protocol. */
const TRUE = 1
const FALSE = 2
const BYTE = 3
const INT16 = 4
const INT32 = 5
const INT64 = 6
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const SET = 10
const STRUCT = 12

const MOST_DEPTH = 24
const MOST_VARINT_BYTES = 10

/**
 * Reads Thrift's compact protocol field by field, so that only the needed parts of a footer become
 * objects. Bytes that end too early, or are nested too deep, throw a `RangeError`.
 */
export class ThriftReader {
  position: number
  readonly #bytes: Buffer
  #depth = 0
  /** The type of the field that is being read. */
  #type = 0

  constructor(bytes: Buffer, position = 0) {
    this.#bytes = bytes
    this.position = position
  }

  /** Calls `read` for every field of a struct; a field that it does not read (false) is skipped. */
  struct(read: (field: number) => boolean | void): void {
    this.#enter()
    let field = 0
    for (;;) {
      const head = this.#byte()
      const type = head & 0x0f
      if (type === 0) break
      field = head >> 4 === 0 ? this.int() : field + (head >> 4)
      this.#type = type
      if (read(field) === false) this.#skip(type)
    }
    this.#depth -= 1
  }

  /** Calls `read` for every element of a list. */
  list(read: (at: number) => void): void {
    if (this.#type !== LIST) throw new RangeError('a list is missing')
    const { size, type } = this.#listHead()
    this.#enter()
    for (let at = 0; at < size; at++) {
      this.#type = type
      read(at)
    }
    this.#depth -= 1
  }

  bool(): boolean {
    return this.#type === TRUE
  }

  /** Up to 53 bits; larger numbers throw. */
  int(): number {
    const zigzag = this.#varint()
    const value = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    if (!Number.isSafeInteger(value)) throw new RangeError('a number is too large')
    return value
  }

  binary(): Buffer {
    const length = this.#varint()
    const from = this.position
    this.#pass(length)
    return this.#bytes.subarray(from, this.position)
  }

  text(): string {
    return this.binary().toString('utf8')
  }

  #skip(type: number): void {
    switch (type) {
      case TRUE:
      case FALSE:
        return
      case BYTE:
        return this.#pass(1)
      case INT16:
      case INT32:
      case INT64:
        return this.#passVarint()
      case DOUBLE:
        return this.#pass(8)
      case BINARY:
        return this.#pass(this.#varint())
      case LIST:
      case SET:
        return this.#skipList()
      case STRUCT:
        return this.struct(() => false)
      default:
        throw new RangeError(`type ${type} is unknown`)
    }
  }

  #skipList(): void {
    const { size, type } = this.#listHead()
    this.#enter()
    for (let at = 0; at < size; at++) this.#skip(type === TRUE || type === FALSE ? BYTE : type)
    this.#depth -= 1
  }

  #listHead(): { size: number; type: number } {
    const head = this.#byte()
    const size = head >> 4 === 15 ? this.#varint() : head >> 4
    // Every element takes at least one byte.
    if (size > this.#bytes.length - this.position) throw new RangeError('a list ends too early')
    return { size, type: head & 0x0f }
  }

  #enter(): void {
    this.#depth += 1
    if (this.#depth > MOST_DEPTH) throw new RangeError('structures nest too deep')
  }

  #varint(): number {
    let value = 0
    let factor = 1
    for (let read = 0; read < MOST_VARINT_BYTES; read++) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
    throw new RangeError('a number is too long')
  }

  #passVarint(): void {
    for (let read = 0; read < MOST_VARINT_BYTES; read++) if (this.#byte() < 0x80) return
    throw new RangeError('a number is too long')
  }

  #byte(): number {
    const byte = this.#bytes[this.position]
    if (byte === undefined) throw new RangeError('it ends too early')
    this.position += 1
    return byte
  }

  #pass(length: number): void {
    if (length > this.#bytes.length - this.position) throw new RangeError('it ends too early')
    this.position += length
  }
}
