import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

import type { Pool } from 'pg'

import { layoutBelow } from '../../../src/storage/local/files.ts'
import type { Shelter } from './shelter.ts'

interface OwnedObject {
  readonly bucket: string
  readonly key: string
}

/** Every row's object is there, and every object has a row, or a claim by which it is swept. */
export async function storedObjects(shelter: Shelter): Promise<string[]> {
  const [owned, claimed] = await Promise.all([ownedObjects(shelter.pool), claims(shelter.pool)])
  const stored = await storedPaths(shelter)
  const pathOf = pathsIn(shelter)
  const ownedPaths = new Set(owned.map(pathOf))
  const remembered = new Set([...ownedPaths, ...claimed.map(pathOf)])
  return [
    ...[...ownedPaths]
      .filter((path) => !stored.has(path))
      .map((path) => `a row whose object is gone: ${path}`),
    ...[...stored]
      .filter((path) => !remembered.has(path))
      .map((path) => `an object that nobody remembers: ${path}`),
  ]
}

async function ownedObjects(pool: Pool): Promise<OwnedObject[]> {
  const { rows } = await pool.query<OwnedObject>(
    `select bucket, path as key from documents
     union select object_bucket, object_path from loads where object_path is not null`,
  )
  return rows
}

async function claims(pool: Pool): Promise<OwnedObject[]> {
  const { rows } = await pool.query<OwnedObject>('select bucket, path as key from object_claims')
  return rows
}

function pathsIn({ buckets, dataDir }: Shelter): (object: OwnedObject) => string {
  if (buckets) return ({ bucket, key }) => `${bucket}/${key}`
  const store = join(dataDir, 'objects')
  const layout = layoutBelow(store)
  return ({ bucket, key }) => relative(store, layout.objectPath(bucket, key))
}

async function storedPaths({ buckets, dataDir }: Shelter): Promise<Set<string>> {
  if (buckets) {
    return new Set(
      buckets.names.flatMap((bucket) =>
        buckets.server.keysIn(bucket).map((key) => `${bucket}/${key}`),
      ),
    )
  }
  const store = join(dataDir, 'objects')
  const entries = await filesBelow(join(store, 'stored'))
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(store, join(entry.parentPath, entry.name))),
  )
}

async function filesBelow(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    // Made with the first object.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
