import type { InputFile } from '../../../core/input.ts'
import { damagedWorkbook } from './damaged-workbook.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

const READ_BYTES = 64 * 1024

export interface Sectors {
  readonly file: InputFile
  /** For each sector the next one; marks and numbers beyond the table have none. */
  readonly table: Uint32Array
  readonly sectorBytes: number
  offsetOf(sector: number): number
}

/** One stream of the container with random access: its sectors are put in order once. */
export class ContainerStream {
  readonly size: number
  readonly #sectors: Sectors
  readonly #chain: Uint32Array

  /** `size`: null for all sectors of the chain. */
  constructor(sectors: Sectors, first: number, size: number | null) {
    this.#sectors = sectors
    const most = Math.ceil(sectors.file.size / sectors.sectorBytes)
    const needed = size === null ? most : Math.min(most, Math.ceil(size / sectors.sectorBytes))
    this.#chain = chainOf(sectors.table, first, needed)
    const there = this.#chain.length * sectors.sectorBytes
    this.size = size === null ? there : Math.min(size, there)
  }

  /** Fewer bytes than asked for only where the stream ends. */
  async read(from: number, length: number): Promise<Buffer> {
    const { file, sectorBytes, offsetOf } = this.#sectors
    const to = Math.min(from + length, this.size)
    if (to <= from) return Buffer.alloc(0)
    const parts: Buffer[] = []
    for (let at = from; at < to;) {
      const run = this.#run(Math.floor(at / sectorBytes), Math.ceil(to / sectorBytes))
      const first = Math.floor(at / sectorBytes)
      const inside = at - first * sectorBytes
      const wanted = Math.min(run * sectorBytes - inside, to - at)
      const bytes = await file.read(offsetOf(this.#chain[first]!) + inside, wanted)
      if (bytes.length === 0) break
      parts.push(bytes)
      at += bytes.length
      if (bytes.length < wanted) break
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  async readAll(most = 64 * 1024 * 1024): Promise<Buffer> {
    if (this.size > most) throw damagedWorkbook(xlsMessages.longDirectory())
    const parts: Buffer[] = []
    for (let at = 0; at < this.size; at += READ_BYTES) parts.push(await this.read(at, READ_BYTES))
    return Buffer.concat(parts)
  }

  /** How many sectors from this one on are consecutive in the file. */
  #run(from: number, before: number): number {
    let run = 1
    while (from + run < before && this.#chain[from + run] === this.#chain[from]! + run) run += 1
    return run
  }
}

/** A circular chain ends when it has as many sectors as needed. */
function chainOf(table: Uint32Array, first: number, needed: number): Uint32Array {
  const chain = new Uint32Array(needed)
  let length = 0
  for (let sector = first; length < needed && sector < table.length; sector = table[sector]!) {
    chain[length] = sector
    length += 1
  }
  return chain.subarray(0, length)
}
