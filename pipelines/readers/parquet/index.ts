import { EngineError } from '../../core/errors.ts'
import { defineFormat } from '../../core/format.ts'
import { guarded } from './file/damaged-file.ts'
import { readFileMetadata } from './file/file-metadata.ts'
import { columnsOf } from './file/schema-tree.ts'
import { ParquetReading } from './parquet-reading.ts'
import { parquetMessages } from './messages/parquet-messages.ts'

const MAGIC = /^PAR[1E]/

/** Reads Parquet in bounded memory; its types are the file's own. */
export const parquetFormat = defineFormat({
  name: 'parquet',
  messages: [parquetMessages],
  sourceType: 'PARQUET',
  options: {},
  recognises: ({ bytes }) => (MAGIC.test(bytes.toString('latin1', 0, 4)) ? 'certainly' : 'no'),
  async open(input, context) {
    const file = await input.file()
    const metadata = await readFileMetadata(file)
    const columns = guarded(parquetMessages.schema(), () =>
      columnsOf(metadata.schema, context.limits.columns),
    )
    if (columns.length === 0) {
      throw new EngineError(parquetMessages.noColumn(), { kind: 'empty' })
    }
    return new ParquetReading(file, metadata, columns, context)
  },
})
