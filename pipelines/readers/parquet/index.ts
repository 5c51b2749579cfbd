import { defineFormat } from '../../core/format.ts'
import { parquetMessages } from './messages/parquet-messages.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-parquet.ts'))

const MAGIC = /^PAR[1E]/

/** Reads Parquet in bounded memory, keeping the types of the file. */
export const parquetFormat = defineFormat({
  name: 'parquet',
  messages: [parquetMessages],
  sourceType: 'PARQUET',
  options: {},
  recognises: ({ bytes }) => (MAGIC.test(bytes.toString('latin1', 0, 4)) ? 'certainly' : 'no'),
  async open(input, context) {
    const { openParquet } = await reader()
    return openParquet(input, context)
  },
})
