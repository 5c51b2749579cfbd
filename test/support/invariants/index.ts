import { setTimeout as sleep } from 'node:timers/promises'

import { leftBehind } from './left-behind.ts'
import { loadedTables } from './loaded-tables.ts'
import { openFiles } from './open-files.ts'
import { secretsShown } from './secrets-shown.ts'
import type { Shelter } from './shelter.ts'
import { storedObjects } from './stored-objects.ts'
import { unlogged } from './unlogged-failures.ts'
import { uniqueNames } from './unique-names.ts'

/** Names the violations it finds; none is what should be. */
type Invariant = (shelter: Shelter) => Promise<readonly string[]>

const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'I1 tables and sources agree': loadedTables,
  'I1 nothing is left behind': leftBehind,
  'I2 one root, one table name': uniqueNames,
  'I3 rows and objects agree': storedObjects,
  'I4 no secret is shown': secretsShown,
  'I5 nothing failed unseen': unlogged,
  'I5 no file is held open': openFiles,
}

const LOOK_EVERY_MS = 250

/** Throws what is violated still when the time to settle is over. */
export async function assertInvariants(shelter: Shelter, settleMs: number): Promise<void> {
  const deadline = performance.now() + settleMs
  for (;;) {
    const violations = await findViolations(shelter)
    if (violations.length === 0) return
    if (performance.now() > deadline) throw new Error(violations.slice(0, 20).join('\n'))
    await sleep(LOOK_EVERY_MS)
  }
}

async function findViolations(shelter: Shelter): Promise<string[]> {
  const found: string[] = []
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    for (const violation of await invariant(shelter)) found.push(`${name}: ${violation}`)
  }
  return found
}
