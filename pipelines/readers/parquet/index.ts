import { defineFormat } from '../../core/format.ts'
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
    const { openParquet } = await import('./open-parquet.ts')
    return openParquet(input, context)
  },
})
