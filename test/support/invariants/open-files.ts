import { readdir, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

import type { Shelter } from './shelter.ts'

/** I5: a process that has nothing to do holds no file of the data folder open, deleted ones included. */
export async function openFiles({ dataDir, pids }: Shelter): Promise<string[]> {
  const folder = `${await realpath(dataDir)}${sep}`
  const held = await Promise.all(pids().map((pid) => heldBy(pid)))
  return held
    .flat()
    .filter((path) => path.startsWith(folder))
    .map((path) => `${path} is open still`)
}

/** Only where the kernel tells it. */
async function heldBy(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const descriptors = await readdir(folder).catch(() => [])
  // One that was closed since it was listed holds nothing.
  return Promise.all(descriptors.map((name) => readlink(join(folder, name)).catch(() => '')))
}
