import { defineFormat } from '../../core/format.ts'
import { parquetMessages } from './messages/parquet-messages.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-parquet.ts'))

/** Reads Parquet in bounded memory, keeping the types of the file. */
export const parquetFormat = defineFormat({
  name: 'parquet',
  messages: [parquetMessages],
  sourceType: 'PARQUET',
  options: {},
  // `PAR1`, and `PARE` where it is encrypted.
  recognises: { starts: ['50415231', '50415245'] },
  async open(input, context) {
    const { openParquet } = await reader()
    return openParquet(input, context)
  },
})
