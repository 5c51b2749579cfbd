import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export const CLI = new URL('../../src/cli/start.js', import.meta.url).pathname

interface CliOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

/** A command as a process of its own; of the settings it knows only those that are given. */
export function startCli(args: readonly string[], env: Environment): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], { env: { PATH: process.env['PATH'], ...env } })
}

export async function runCli(
  args: readonly string[],
  env: Environment,
  input?: string | Buffer,
): Promise<CliOutcome> {
  const child = startCli(args, env)
  // Whoever has seen enough reads no more.
  child.stdin!.on('error', () => undefined).end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
