import type { Queries } from '../db/in-turn.ts'
import { type Access, type Actor, mayAct } from '../domain/actor.ts'
import { RightsLostException } from '../errors/index.ts'
import { reachesEnterprise } from '../scope.ts'
import { Rounds } from '../time/clock.ts'

/** How soon a running job notices that its owner has lost the rights to it. */
const ASK_EVERY_MS = 400

interface OwnersParts {
  /** Those who may act at all, by their ids. */
  findAll(ids: readonly number[]): Promise<ReadonlyMap<number, Actor>>
  /** In a transaction, the owner also stays like that until its end. Null: they may not act at all. */
  hold(client: Queries, id: number): Promise<Actor | null>
}

interface Followed {
  readonly id: number
  tell(owner: Actor | null): void
}

/** The owners of jobs as they are now; null: they may not act at all. */
export function createOwners({ findAll, hold }: OwnersParts) {
  const followed = new Rounds<Followed>(ASK_EVERY_MS, async (all) => {
    // If the database is away, the work will notice by itself.
    const found = await findAll([...new Set(all.map(({ id }) => id))]).catch(() => null)
    if (found === null) return
    for (const one of all) if (followed.has(one)) one.tell(found.get(one.id) ?? null)
  })

  return {
    find: async (id: number): Promise<Actor | null> => (await findAll([id])).get(id) ?? null,
    hold,
    /** Tells again and again who an owner is by then, with one statement for all that are followed. */
    follow: (id: number, tell: Followed['tell']): Disposable => followed.join({ id, tell }),
  }
}

export type Owners = ReturnType<typeof createOwners>

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
