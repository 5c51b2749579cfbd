import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'

import { hasCode, unlessGone } from '../errors/system-codes.ts'

/**
 * A secret that is made once and kept beside the data it protects, readable by its owner alone.
 * Two processes that make it at the same instant end with the same one.
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
    // A link appears whole or not at all, and never over another process's secret.
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

/** Puts another content in the place of a kept secret; readers see the old one or the new one. */
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
