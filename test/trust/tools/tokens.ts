import { createTokens } from '../../../src/security/tokens.ts'
import type { World } from '../world.ts'

/** A token as the service itself would issue it. */
export async function tokenOf({ authSecret }: World, user: { uuid: string }): Promise<string> {
  const tokens = createTokens({
    keys: { kind: 'secret', secret: authSecret },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })
  return (await tokens.issue(user.uuid)).token
}
