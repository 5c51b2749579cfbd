import type { IngestOptions } from '../core/options.ts'
import type { ReadContext, Reading } from '../core/reader.ts'
import type { ByteSource, Source } from '../core/source.ts'
import { unpack } from '../input/unpacking/unpack.ts'
import { chooseFormat } from './choose-format.ts'
import type { EngineParts } from './engine-parts.ts'
import { stagedReading, unpackedReading } from './wrapped-readings.ts'

/** Finds who can read the source, by its content, and begins. */
export async function openReading(
  parts: EngineParts,
  source: Source,
  options: IngestOptions,
  signal: AbortSignal,
  learned: Readonly<Partial<IngestOptions>> = {},
): Promise<Reading> {
  const { limits, tempDir, stages } = parts
  const context: ReadContext = { options, learned, limits, tempDir, signal }
  const reading =
    source.kind === 'records'
      ? await parts.records.open(source, context)
      : await openBytes(parts, source, context)
  return stages.length === 0 ? reading : stagedReading(reading, stages)
}

async function openBytes(
  { formats }: EngineParts,
  source: ByteSource,
  context: ReadContext,
): Promise<Reading> {
  const input = await unpack(source, context, (head) =>
    [...formats].some((format) => format.recognises(head)),
  )
  try {
    const { reader } = chooseFormat(formats, input.head, context.options.format)
    const reading = await reader.open(input.source, { ...context, limits: input.limits })
    await input.opened()
    return unpackedReading(reading, input)
  } catch (error) {
    await input.close()
    throw error
  }
}
