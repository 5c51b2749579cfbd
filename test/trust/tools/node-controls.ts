import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

/** How a node of a cluster is taken away from the others, and brought back. */
export interface NodeFault {
  readonly name: string
  begin(): Promise<void>
  end(): Promise<void>
}

const FAULTS = ['stop', 'freeze', 'lockout'] as const

/** Two options of the command line for each fault; the faults of which both were given. */
export const NODE_OPTIONS = FAULTS.flatMap((name) => [`node-${name}`, `node-after-${name}`])

/** By commands of whoever runs the cluster. */
export function nodeFaults(
  options: Readonly<Record<string, string | boolean | undefined>>,
): NodeFault[] {
  return FAULTS.flatMap((name) => {
    const [begin, end] = [options[`node-${name}`], options[`node-after-${name}`]]
    if (typeof begin !== 'string' || typeof end !== 'string') return []
    return [{ name, begin: () => runCommand(begin), end: () => runCommand(end) }]
  })
}

/** By the shell, which has them from the same hand. */
async function runCommand(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`“${command}” ended with ${code}`)
}

/** More than servers have. */
const MOST_SLOTS = 5000

/** Somebody who leaves makes room, which is taken as well. */
const LOOK_EVERY_MS = 50

/** Every connection that a node takes is somebody else's. */
export function slotsUsedUp(url: string): NodeFault {
  const taken: Client[] = []
  const takeAll = async () => {
    while (taken.length < MOST_SLOTS) {
      const client = new Client({ connectionString: url })
      client.on('error', () => undefined)
      try {
        await client.connect()
      } catch {
        // The node has no more.
        return
      }
      taken.push(client)
    }
  }
  let ending = new AbortController()
  let taking: Promise<void> = Promise.resolve()
  const keepTaking = async ({ signal }: AbortController) => {
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_MS)
      await takeAll()
    }
  }
  return {
    name: 'want of connections',
    async begin() {
      await takeAll()
      ending = new AbortController()
      taking = keepTaking(ending)
    },
    async end() {
      ending.abort()
      await taking
      await Promise.all(taken.splice(0).map((client) => client.end()))
    },
  }
}
