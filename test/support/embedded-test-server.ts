import { access, constants, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { folderOwner } from '../../src/db/embedded/folder-claim.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts'
import { clearLeftovers } from '../../src/db/embedded/leftover-postmaster.ts'
import type { TestServer } from './test-server.ts'

const PREFIX = 'test-postgres-'
/** Copying a database makes hundreds of small files: 10 ms in memory, 250 ms on a disk. */
const MEMORY_DISK = '/dev/shm'
const MEMORY_DISK_NEEDS_BYTES = 4 * 1024 ** 3
/** A folder this young may belong to a run that has not claimed it yet. */
const YOUNG_MS = 60_000

export async function startEmbeddedTestServer(): Promise<TestServer> {
  const home = (await hasRoomInMemory()) ? MEMORY_DISK : tmpdir()
  await removeAbandoned(home)
  const folder = await mkdtemp(join(home, PREFIX))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({ folder, ephemeral: true })
    return {
      url: server.url,
      async stop() {
        try {
          await server.stop()
        } finally {
          await remove()
        }
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function hasRoomInMemory(): Promise<boolean> {
  try {
    await access(MEMORY_DISK, constants.W_OK)
    const { bavail, bsize } = await statfs(MEMORY_DISK)
    return bavail * bsize > MEMORY_DISK_NEEDS_BYTES
  } catch {
    return false
  }
}

/** What runs that were killed left behind: a folder, and perhaps a server in it. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(home, name)
    try {
      const { mtimeMs, uid } = await stat(folder)
      if (uid !== process.geteuid?.() || Date.now() - mtimeMs < YOUNG_MS) continue
      if ((await folderOwner(folder)) !== undefined) continue
      await clearLeftovers(join(folder, 'data'))
      await rm(folder, { recursive: true, force: true })
    } catch {
      // Another run removes the same one at this moment; it is in nobody's way.
    }
  }
}
