import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

import { PATIENCE_MS } from './patience.ts'

const START = resolve(import.meta.dirname, '../../src/start.js')
const READY = /^Listening on (\S+)/
const LINES_KEPT = 50_000

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The service as a process of its own, which a test may kill. */
export interface ServerProcess extends AsyncDisposable {
  readonly address: string
  readonly pid: number
  readonly startedInMs: number
  /** What it wrote on both channels, oldest first. */
  readonly output: readonly string[]
  readonly exited: Promise<Exit>
  isRunning(): boolean
  /** SIGKILL: nothing is finished, nothing is cleaned. */
  kill(): Promise<void>
  /** SIGTERM; tells how it ended and how long that took. */
  stop(): Promise<Exit & { tookMs: number }>
}

interface ServerOptions {
  /** Default: the service itself. */
  readonly script?: string
  readonly arguments?: readonly string[]
  /** The line that tells that it is ready; its first group is the address. */
  readonly ready?: RegExp
  /** Who it runs as; only root can choose. */
  readonly account?: { readonly uid: number; readonly gid: number }
  readonly cwd?: string
  /** Gets what it writes while it starts; the list grows. */
  readonly onOutput?: (output: readonly string[]) => void
}

export async function startServer(
  environment: Readonly<Record<string, string>>,
  options: ServerOptions = {},
): Promise<ServerProcess> {
  const begun = performance.now()
  const output: string[] = []
  options.onOutput?.(output)
  const child = spawn(process.execPath, [options.script ?? START, ...(options.arguments ?? [])], {
    env: { ...inherited(), HOST: '127.0.0.1', PORT: '0', LANGUAGE: 'en', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.account,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  // Whatever ends this process, the service does not outlive it.
  const takeAlong = () => child.kill('SIGKILL')
  process.once('exit', takeAlong)
  child.once('exit', () => process.off('exit', takeAlong))
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  const keep = (line: string) => {
    output.push(line)
    if (output.length > LINES_KEPT) output.splice(0, LINES_KEPT / 2)
  }
  createInterface({ input: child.stderr }).on('line', keep)
  const address = await firstAddress(child, options.ready ?? READY, keep, exited, output)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const kill = async () => {
    if (isRunning()) child.kill('SIGKILL')
    await exited
  }
  return {
    address,
    pid: child.pid!,
    startedInMs: performance.now() - begun,
    output,
    exited,
    isRunning,
    kill,
    async stop() {
      const asked = performance.now()
      child.kill('SIGTERM')
      return { ...(await exited), tookMs: performance.now() - asked }
    },
    [Symbol.asyncDispose]: kill,
  }
}

async function firstAddress(
  child: ChildProcess,
  ready: RegExp,
  keep: (line: string) => void,
  exited: Promise<Exit>,
  output: readonly string[],
): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    keep(line)
    const match = ready.exec(line)
    if (match) found(match[1] ?? '')
  })
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error(`The service did not start:\n${output.join('\n')}`))
  }, PATIENCE_MS)
  void exited.then(({ code, signal }) =>
    reject(new Error(`The service ended with ${code ?? signal}:\n${output.join('\n')}`)),
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/** What a process needs of ours; settings of whoever runs the tests are not among it. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'SystemRoot', 'USERPROFILE']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
