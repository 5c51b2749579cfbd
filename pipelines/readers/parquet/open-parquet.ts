import { EngineError } from '../../core/errors.ts'
import type { Input } from '../../core/input.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import { guarded } from './file/damaged-file.ts'
import { readFileMetadata } from './file/file-metadata.ts'
import { columnsOf } from './file/schema-tree.ts'
import { ParquetReading } from './parquet-reading.ts'
import { parquetMessages } from './messages/parquet-messages.ts'

export async function openParquet(
  input: Input,
  context: ReadContext<Record<never, never>>,
): Promise<Reading> {
  const file = await input.stretches()
  const metadata = await readFileMetadata(file)
  const columns = guarded(parquetMessages.schema(), () =>
    columnsOf(metadata.schema, context.limits.columns),
  )
  if (columns.length === 0) {
    throw new EngineError(parquetMessages.noColumn(), { kind: 'empty' })
  }
  return new ParquetReading(file, metadata, columns, context)
}
