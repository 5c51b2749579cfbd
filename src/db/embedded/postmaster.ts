import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Account } from './account.ts'
import { databaseEnvironment } from './environment.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { asArguments } from './settings.ts'

interface PostmasterOptions {
  readonly program: string
  readonly account: Account | undefined
  readonly data: string
  readonly logFile: string
  readonly settings: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** The running server process. */
export interface Postmaster {
  readonly pid: number
  /** Resolves, never rejects, when the process is gone, however that came about. */
  readonly exited: Promise<void>
  stop(): Promise<void>
}

/** It did not come up; `log` is what it wrote while trying. */
export class PostmasterStartError extends EmbeddedPostgresError {
  readonly log: string

  constructor(message: string, log: string, options?: ErrorOptions) {
    super(message, options)
    this.log = log
  }
}

/** Recovery after a crash replays at most `max_wal_size`, which a slow disk may take long for. */
const READY_WITHIN_MS = 120_000
const READY_POLL_MS = 8
const FAST_STOP_WITHIN_MS = 6_000

/** Starts the server and returns when it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  options.signal?.throwIfAborted()
  const log = await open(options.logFile, 'a', 0o600)
  try {
    const logStart = (await log.stat()).size
    const child = spawnServer(options, log)
    // An error is either that it could not be spawned, or that a signal could not be sent.
    const failures: Error[] = []
    child.on('error', (error) => failures.push(error))
    const exited = new Promise<void>((resolve) => {
      if (child.pid === undefined) child.once('error', () => resolve())
      else child.once('close', () => resolve())
    })
    const ready = await waitUntilReady(child, exited, options)
    if (ready) return { pid: child.pid as number, exited, stop: () => stopServer(child, exited) }
    options.signal?.throwIfAborted()
    const text = (await readFile(options.logFile, 'utf8')).slice(logStart).trim()
    throw new PostmasterStartError(
      `The embedded database did not start: ${text || 'it gave no reason'} (${options.logFile})`,
      text,
      { cause: failures[0] },
    )
  } finally {
    await log.close()
  }
}

function spawnServer(options: PostmasterOptions, log: FileHandle): ChildProcess {
  const { program, account, data, settings } = options
  const child = spawn(program, ['-D', data, ...asArguments(settings)], {
    ...account,
    cwd: '/',
    env: databaseEnvironment(),
    // Ctrl-C in a terminal reaches the whole group: the service stops the database, in its order.
    detached: true,
    // A file, not a pipe: it goes on when the service was killed.
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  })
  // The database by itself is no reason for the service to stay.
  child.unref()
  return child
}

async function waitUntilReady(
  child: ChildProcess,
  exited: Promise<void>,
  { data, signal }: PostmasterOptions,
): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (lives(child) && performance.now() < deadline) {
    if (signal?.aborted === true) break
    if (await saysReady(data, child.pid)) return true
    await Promise.race([delay(READY_POLL_MS), exited])
  }
  if (lives(child)) await stopServer(child, exited)
  return false
}

function lives(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** PostgreSQL's own notice to its tools: the eighth line of its pid file. */
async function saysReady(data: string, pid: number | undefined): Promise<boolean> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

/** Fast shutdown: clients are cut off, everything is written. Harder when that takes too long. */
async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.ref()
  child.kill('SIGINT')
  const patience = new AbortController()
  const late = delay(FAST_STOP_WITHIN_MS, 'late' as const, { signal: patience.signal })
  try {
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGQUIT')
    await exited
  } finally {
    patience.abort()
    await late.catch(() => undefined)
  }
}
