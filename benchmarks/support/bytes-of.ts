import { createReadStream, statSync } from 'node:fs'

import type { DataSource } from '../../pipelines/index.ts'

/** A file, read as the service reads its own. */
export const bytesOf = (path: string): DataSource => ({
  kind: 'bytes',
  path,
  size: statSync(path).size,
  open: async (signal) => createReadStream(path, { highWaterMark: 256 * 1024, signal }),
})
