import { spawn } from 'node:child_process'

/** How a node of a cluster is taken away, and brought back: commands of whoever runs the cluster. */
export interface NodeFault {
  readonly name: string
  readonly begin: string
  readonly end: string
}

const FAULTS = ['stop', 'freeze', 'cut'] as const

/** Two options of the command line for each fault; the faults of which both were given. */
export const NODE_OPTIONS = FAULTS.flatMap((name) => [`node-${name}`, `node-after-${name}`])

export function nodeFaults(
  options: Readonly<Record<string, string | boolean | undefined>>,
): NodeFault[] {
  return FAULTS.flatMap((name) => {
    const [begin, end] = [options[`node-${name}`], options[`node-after-${name}`]]
    return typeof begin === 'string' && typeof end === 'string' ? [{ name, begin, end }] : []
  })
}

/** By the shell, which has them from the same hand. */
export async function runCommand(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`«${command}» ended with ${code}`)
}
