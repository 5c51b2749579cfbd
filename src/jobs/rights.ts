import { type Access, mayAct } from '../access.ts'
import type { Queries } from '../db/in-turn.ts'
import type { Actor } from '../domain/actor.ts'
import { RightsLostException } from '../errors/index.ts'
import { reachesEnterprise } from '../scope.ts'

/** The owners of jobs as they are now; null: they may not act at all. */
export interface Owners {
  find(id: number): Promise<Actor | null>
  /** In a transaction, the owner also stays like that until its end. */
  hold(client: Queries, id: number): Promise<Actor | null>
}

/**
 * A job acts for its owner, with the rights that they have at the moment; enterprise null: it is for
 * none in particular.
 */
export function requireRights(
  owner: Actor | null,
  access: Access,
  enterpriseId: number | null,
): Actor {
  if (owner && mayAct(owner, access) && reachesEnterprise(owner, enterpriseId)) return owner
  throw new RightsLostException()
}
