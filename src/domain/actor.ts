import type { AccountType, RoleType } from '../resources/account-types.ts'
import type { Enterprise } from '../resources/enterprise.ts'

/** The authenticated caller, as the database knows them at this request. */
export interface Actor {
  readonly id: number
  readonly uuid: string
  readonly email: string
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterprise: Enterprise | null
}

/** A thing without what only those are told who see the things of several enterprises. */
export const seenBy = <T extends { readonly enterprise?: unknown }>(actor: Actor, thing: T): T =>
  isSuperAdmin(actor) ? thing : { ...thing, enterprise: null }

export const isSuperAdmin = (actor: Actor): boolean => actor.role === 'super-admin'
