import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import type { Account } from '../../../src/db/embedded/account.ts'

const SCRIPT = fileURLToPath(new URL('../../support/embedded-owner.ts', import.meta.url))

export interface Owner {
  readonly process: ChildProcess
  readonly url: string
}

/** Starts a database in a process of its own and waits for its address. */
export async function startOwner(folder: string, account?: Account): Promise<Owner> {
  const child = spawn(process.execPath, [SCRIPT, folder], {
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const complaint = text(child.stderr)
  const address = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    once(child, 'close').then(async () => {
      throw new Error(await complaint)
    }),
  ])
  return { process: child, url: address }
}

/** Ends it and waits until it is gone; its database goes on after a SIGKILL. */
export async function endOwner(owner: Owner, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const gone = once(owner.process, 'exit')
  owner.process.kill(signal)
  await gone
}
