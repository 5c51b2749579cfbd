import type { BigIntStats } from 'node:fs'

import type { ObjectFacts } from '../object-store.ts'

/** Files are replaced by a rename and never changed in place, so these facts change with the bytes. */
export function factsOf(stats: BigIntStats): ObjectFacts {
  const version = [stats.size, stats.mtimeNs, stats.ino].map((part) => part.toString(36)).join('-')
  return { sizeBytes: Number(stats.size), etag: `"${version}"`, lastModified: stats.mtime }
}
