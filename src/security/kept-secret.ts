import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'

import { hasCode, unlessGone } from '../errors/system-codes.ts'

/**
 * Returns a secret that is created once and kept next to the data it protects, readable only by its
 * owner. Two processes that create it at the same moment end up with the same one.
 */
export async function keptSecret(
  folder: string,
  name: string,
  make: () => string,
): Promise<string> {
  const path = join(folder, name)
  const kept = await unlessGone(readFile(path, 'utf8'))
  if (kept !== null) return kept
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${name}-${randomUUID()}`)
  await writeFile(draft, make(), { mode: 0o600, flag: 'wx' })
  try {
    // A link appears completely or not at all, and never replaces the secret of another process.
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

/** Replaces a kept secret; readers see either the old one or the new one. */
export async function replaceKeptSecret(
  folder: string,
  name: string,
  content: string,
): Promise<void> {
  const draft = join(folder, `.${name}-${randomUUID()}`)
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, join(folder, name))
  } finally {
    await rm(draft, { force: true })
  }
}
