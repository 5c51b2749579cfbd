import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A rename or an unlink survives a power cut only once its folder is flushed. */
export async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its journal keeps the order.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the folder and those above it, and flushes every one that got a new entry. */
export async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (firstMade === undefined) return
  for (let made = folder; ; made = dirname(made)) {
    await flushFolder(dirname(made))
    if (made === firstMade) return
  }
}

/** Moves what is at `from` into its place, completely or not at all. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await flushFolder(dirname(to))
}
