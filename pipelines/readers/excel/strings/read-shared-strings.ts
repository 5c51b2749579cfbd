import type { ReadContext } from '../../../core/reader.ts'
import type { WorkbookArchive } from '../archive/open-archive.ts'
import { scanPart } from '../xml/scan-part.ts'
import { SharedStringsHandler } from './shared-strings-handler.ts'
import { SpilledStrings } from './spilled-strings.ts'
import { NO_STRINGS, StringsInMemory, type StringStore } from './string-store.ts'

/** Once strings spill to disk, they are written in pieces of this size. */
const WRITTEN_AT_ONCE_BYTES = 1024 * 1024

/** Keeps shared strings in memory up to the limit, and in files beyond it. */
export async function readSharedStrings(
  archive: WorkbookArchive,
  part: string | null,
  { limits, tempDir, signal }: ReadContext,
): Promise<StringStore> {
  const content = part === null ? null : await archive.open(part)
  if (content === null) return NO_STRINGS
  const handler = new SharedStringsHandler(limits.cellBytes)
  let spilled: SpilledStrings | null = null
  try {
    await scanPart(content, handler, async () => {
      signal.throwIfAborted()
      const held = handler.heldBytes
      if (spilled === null && held > limits.sharedStringsBytes) {
        spilled = await SpilledStrings.create(tempDir, limits.sharedStringsBytes)
      }
      if (spilled !== null && held > WRITTEN_AT_ONCE_BYTES) await moveTo(spilled, handler)
    })
    if (spilled !== null) {
      await moveTo(spilled, handler)
      return spilled
    }
    const { bytes, ends } = handler.held
    return new StringsInMemory(bytes, ends)
  } catch (error) {
    await (spilled as SpilledStrings | null)?.close()
    throw error
  }
}

async function moveTo(spilled: SpilledStrings, handler: SharedStringsHandler): Promise<void> {
  const { bytes, ends } = handler.held
  await spilled.add(bytes, ends)
  handler.forget(WRITTEN_AT_ONCE_BYTES)
}
