import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { TestApp } from './app.ts'
import type { RequestBody } from './client.ts'

/** A form with a file, as a browser sends it. */
export function formOf(
  filename: string,
  bytes: string | Buffer,
  fields: Readonly<Record<string, string>> = {},
): RequestBody {
  const content = new FormData()
  for (const [name, value] of Object.entries(fields)) content.append(name, value)
  const part = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
  content.append('file', new Blob([part], { type: 'text/csv' }), filename)
  return { content }
}

/** A file as the body itself. */
export function uploadOf(bytes: Buffer, type = 'application/pdf'): RequestBody {
  return { content: new Uint8Array(bytes), type }
}

/** Every file that the local object storage of the application holds, also half-written ones. */
export async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** How many uploads the application has begun to store and not finished. */
export async function uploadsUnderWay({ database }: Pick<TestApp, 'database'>): Promise<number> {
  const { rowCount } = await database.pool.query('select from object_claims')
  return rowCount ?? 0
}
