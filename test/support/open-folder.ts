import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder in which an embedded database can stay under root too, where it runs as another
 * account: in a closed one it is put elsewhere, and outlives the folder.
 */
export async function makeOpenFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  await chmod(folder, 0o755)
  return folder
}
