import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, which is gone with all that is in it once it is disposed of. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

/**
 * Everybody may look into it: under root an embedded database runs as another account, and is put
 * elsewhere, where it outlives the folder, when that cannot enter.
 */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`))
  await chmod(path, 0o755)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
