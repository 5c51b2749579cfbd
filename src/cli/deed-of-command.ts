import { hostname, userInfo } from 'node:os'

import type { Deed } from '../domain/audit/audit.ts'

/** What a command does, as the audit trail has it: done by the account that runs it. */
export const deedOfCommand = (
  action: Deed['action'],
  thing: Pick<Deed, 'thingUuid' | 'place'> = {},
): Deed => ({
  action,
  ...thing,
  by: { actor: { email: `${accountName()}@${hostname()}` }, via: 'cli' },
})

/** Containers run as numbers that no account has. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
