import { type Access, mayAct } from '../domain/actor.ts'
import type { Admitted, Caller } from '../domain/auth/credential.ts'
import { ForbiddenException, UnauthorizedException } from '../errors/index.ts'
import { Rounds } from '../time/clock.ts'

/** How soon a long request notices that its caller has lost their rights. */
const ASK_EVERY_MS = 1_000

interface Followed {
  readonly admitted: Admitted
  readonly access: Access
  readonly lost: AbortController
}

export function requireAccess({ actor }: Caller, access: Access): void {
  if (!mayAct(actor, access)) throw new ForbiddenException()
}

/** Ends what goes on at the pace of clients once they would no longer be let in. */
export function createCallersFollowed() {
  // All are asked for in one turn of the event loop, so it is one statement for them.
  const followed = new Rounds<Followed>(ASK_EVERY_MS, (all) => {
    for (const one of all) void look(one)
  })
  return {
    follow: (admitted: Admitted, access: Access, lost: AbortController): Disposable =>
      followed.join({ admitted, access, lost }),
  }
}

async function look({ admitted, access, lost }: Followed): Promise<void> {
  try {
    const now = await admitted.again()
    requireAccess(now, access)
    if (now.actor.enterprise?.id !== admitted.actor.enterprise?.id) throw new ForbiddenException()
  } catch (error) {
    // What cannot be said now is asked again.
    const isKnown = error instanceof UnauthorizedException || error instanceof ForbiddenException
    if (isKnown) lost.abort(error)
  }
}
