import type { ReadContext } from '../../../core/reader.ts'
import { ByteSink } from '../../byte-sink.ts'
import { SpilledStrings } from '../../excel/strings/spilled-strings.ts'
import { StringsInMemory, type StringStore } from '../../excel/strings/string-store.ts'
import type { RecordFlow } from '../records/record-flow.ts'
import { Biff, type BiffRecord } from '../records/record-types.ts'
import { StringReader } from '../records/string-reader.ts'

const WRITTEN_AT_ONCE_BYTES = 1024 * 1024
const STRINGS_BETWEEN_TURNS = 4096

/** The texts that cells refer to by number: in memory up to the limit, and in files beyond it. */
export async function readStringTable(
  flow: RecordFlow,
  { bytes, start, end }: BiffRecord,
  { limits, tempDir, signal }: ReadContext,
): Promise<StringStore> {
  const count = bytes.readUInt32LE(start + 4)
  const reader = new StringReader({ bytes, start: start + 8, end }, async () => {
    const from = flow.position
    const next = await flow.next()
    if (next?.type === Biff.continue) return next
    flow.moveTo(from)
    return null
  })
  const held = new ByteSink()
  let ends: number[] = []
  let spilled: SpilledStrings | null = null
  const spill = async (): Promise<void> => {
    spilled ??= await SpilledStrings.create(tempDir, limits.sharedStringsBytes)
    await spilled.add(held.bytes.subarray(0, held.length), Uint32Array.from(ends))
    held.emptied()
    ends = []
  }
  try {
    // Some programs announce more texts than they write.
    for (let index = 0; index < count && !(await reader.hasEnded()); index++) {
      if (index % STRINGS_BETWEEN_TURNS === 0) signal.throwIfAborted()
      const characters = await reader.uint16()
      await reader.text(characters, (piece) => held.text(piece))
      ends.push(held.length)
      const most = spilled === null ? limits.sharedStringsBytes : WRITTEN_AT_ONCE_BYTES
      if (held.length > most) await spill()
    }
    if (spilled === null) {
      const own = Buffer.from(held.bytes.subarray(0, held.length))
      return new StringsInMemory(own, Uint32Array.from(ends))
    }
    await spill()
    return spilled
  } catch (error) {
    await (spilled as SpilledStrings | null)?.close()
    throw error
  }
}
