import { spawn } from 'node:child_process'

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

/** Every connection that a node takes is somebody else's. */
export function slotsUsedUp(url: string): NodeFault {
  const taken: Client[] = []
  return {
    name: 'want of connections',
    async begin() {
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
    },
    async end() {
      await Promise.all(taken.splice(0).map((client) => client.end()))
    },
  }
}
