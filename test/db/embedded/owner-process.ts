import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import type { Account } from '../../../src/db/embedded/account.ts'

const SCRIPT = fileURLToPath(new URL('../../support/embedded-owner.ts', import.meta.url))

interface Owner {
  readonly process: ChildProcess
  readonly url: string
}

/** Databases in processes of their own, none of which outlives the test that started it. */
interface Owners {
  /** Resolves with the database's address, rejects with what the process complained about. */
  start(folder: string, account?: Account): Promise<Owner>
  /** Ends one and waits until it is gone; its database goes on after a SIGKILL. */
  end(owner: Owner, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export function useOwners(): Owners {
  const running = new Set<ChildProcess>()

  afterEach('ends the processes that a failed test left', async () => {
    for (const child of running) await endProcess(child, 'SIGTERM')
  })

  return {
    async start(folder, account) {
      const child = spawn(process.execPath, [SCRIPT, folder], {
        ...account,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      const complaint = text(child.stderr)
      const url = await Promise.race([
        once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
        once(child, 'close').then(async () => {
          throw new Error(await complaint)
        }),
      ])
      return { process: child, url }
    },
    end: (owner, signal) => endProcess(owner.process, signal),
  }
}

async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
