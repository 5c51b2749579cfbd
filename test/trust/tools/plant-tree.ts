import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { BUCKETS, type World } from '../world.ts'

/** A root of an enterprise of its own, with a few folders and documents of every bucket below it. */
export interface Tree {
  readonly uuid: string
  readonly name: string
  readonly enterpriseId: number
  /** Deep inside. */
  readonly folderUuid: string
}

const DEPTH = 4

export async function plantTree(
  { build, pool, people, objects }: World,
  documentsEach: number,
  { withObjects = true } = {},
): Promise<Tree> {
  const { id: enterpriseId } = await build.enterprise()
  const name = `Tree ${randomUUID()}`
  const folders: { id: string; uuid: string }[] = []
  for (let depth = 0; depth < DEPTH; depth++) {
    const { rows } = await pool.query<{ id: string; uuid: string }>(
      `insert into folders (name, client_id, enterprise_id, created_by, parent_id)
       values ($1, $2, $3, $2, $4) returning id, uuid`,
      [name, people.superAdmin.id, enterpriseId, folders.at(-1)?.id ?? null],
    )
    folders.push(rows[0]!)
  }
  for (const bucket of BUCKETS) {
    for (let nth = 0; nth < documentsEach; nth++) {
      const path = `trust/${randomUUID()}`
      if (withObjects) await objects!.put(bucket, path, Readable.from(['content']))
      await pool.query(
        `insert into documents (enterprise_id, folder_id, bucket, path, original_name,
           content_type, size_bytes, sha256)
         values ($1, $2, $3, $4, 'planted.txt', 'text/plain', 7, repeat('0', 64))`,
        [enterpriseId, folders[nth % DEPTH]!.id, bucket, path],
      )
    }
  }
  return { uuid: folders[0]!.uuid, name, enterpriseId, folderUuid: folders.at(-1)!.uuid }
}
