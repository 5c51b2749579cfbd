import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { hasCode } from '../errors/system-codes.ts'

/** The setting that names the folder. */
type FolderSetting = 'DATA_DIR' | 'TMPDIR'

/**
 * Private to its owner. As root, the embedded database runs as another user, who must be able to
 * pass through.
 */
const OWN_FOLDER = process.geteuid?.() === 0 ? 0o711 : 0o700

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it does not exist',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
}

/** A folder cannot be written to; the message says which, by whom, and what to do about it. */
export class FolderError extends Error {
  override readonly name = 'FolderError'

  constructor(path: string, setting: FolderSetting, cause: unknown) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    super(
      `The folder ${path} cannot be written to${account()}: ${REASONS[code] ?? message}. ` +
        `Set ${setting} to another folder, or mount one there that can be.`,
      { cause },
    )
  }
}

/** Creates the folder if it is missing, and tests whether a file can be created in it. */
export async function openFolder(path: string, setting: FolderSetting): Promise<string> {
  try {
    await makeFolder(path)
    await rmdir(await mkdtemp(join(path, '.writable-')))
    return path
  } catch (error) {
    throw new FolderError(path, setting, error)
  }
}

/** Node's recursive mkdir reports a read-only parent folder as one that does not exist. */
async function makeFolder(path: string): Promise<void> {
  const isMade = await mkdirUnlessThere(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return false
    throw error
  })
  if (isMade) return
  await makeFolder(dirname(path))
  await mkdirUnlessThere(path)
}

async function mkdirUnlessThere(path: string): Promise<true> {
  try {
    await mkdir(path, { mode: OWN_FOLDER })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return true
}

function account(): string {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()]
  return uid === undefined ? '' : ` by user ${uid}, group ${gid}`
}
