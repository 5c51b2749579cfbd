import type { ContainerStream } from '../container/container-stream.ts'
import { damagedWorkbook } from '../container/damaged-workbook.ts'
import { EngineError } from '../../../core/errors.ts'
import type { Cipher } from './cipher.ts'
import type { BiffRecord } from './record-types.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

const HEAD_BYTES = 4
const WINDOW_BYTES = 256 * 1024
const MOST_HELD_BYTES = 128 * 1024 * 1024

/** Records of a workbook's stream, one after another, starting anywhere. */
export class RecordFlow {
  cipher: Cipher | null = null
  readonly #stream: ContainerStream
  #at: number
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0

  constructor(stream: ContainerStream, at = 0) {
    this.#stream = stream
    this.#at = at
  }

  get position(): number {
    return this.#at
  }

  moveTo(at: number): void {
    this.#at = at
  }

  /** Keeps a part of the stream in memory, so that moving around in it reads nothing again. */
  async hold(from: number, to: number): Promise<void> {
    if (to - from > MOST_HELD_BYTES) throw tooDisordered()
    this.#window = await this.#stream.read(from, to - from)
    this.#windowAt = from
  }

  /** A record that is already in memory; null if bytes have to be read for it first. */
  take(): BiffRecord | null {
    const from = this.#at - this.#windowAt
    if (from < 0 || from + HEAD_BYTES > this.#window.length) return null
    const type = this.#window.readUInt16LE(from)
    const length = this.#window.readUInt16LE(from + 2)
    const start = from + HEAD_BYTES
    if (start + length > this.#window.length) return null
    const at = this.#at
    this.#at += HEAD_BYTES + length
    const record = { type, bytes: this.#window, start, end: start + length, at }
    return this.cipher === null ? record : this.cipher.decrypt(record)
  }

  /** Reads on; false at the end of the stream. */
  async fill(): Promise<boolean> {
    if (this.#at + HEAD_BYTES > this.#stream.size) return false
    this.#window = await this.#stream.read(this.#at, WINDOW_BYTES)
    this.#windowAt = this.#at
    const from = this.#window.length >= HEAD_BYTES ? this.#window.readUInt16LE(2) : 0
    if (this.#window.length < HEAD_BYTES + from) throw damagedWorkbook(xlsMessages.endsEarly())
    return true
  }

  async next(): Promise<BiffRecord | null> {
    const record = this.take()
    if (record !== null) return record
    return (await this.fill()) ? this.take() : null
  }
}

function tooDisordered(): EngineError {
  return new EngineError(xlsMessages.disorder(), { kind: 'limit', limit: 'xlsSheet' })
}
