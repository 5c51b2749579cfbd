import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a folder is told by, and can be changed. */
export type FolderSetting = 'DATA_DIR' | 'TMPDIR'

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

/** A folder cannot be written to; the message says which, to whom, and what to do about it. */
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

/** Makes the folder where it is missing, and tries whether something can be made in it. */
export async function openFolder(path: string, setting: FolderSetting): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    await rmdir(await mkdtemp(join(path, '.writable-')))
    return path
  } catch (error) {
    throw new FolderError(path, setting, error)
  }
}

function account(): string {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()]
  return uid === undefined ? '' : ` by user ${uid}, group ${gid}`
}
