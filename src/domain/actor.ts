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

/**
 * Who may do something, by role and type of account. A route names one of these, a kind of long work
 * the same one as its route; what they mean is said here alone. On which rows, `scope.ts` says.
 */
export type Access = 'public' | 'holder' | 'user' | 'folder-tree' | 'admin' | 'super-admin'

/** What is asked with an account. */
export type AccountAccess = Exclude<Access, 'public' | 'holder'>

const MAY: Readonly<Record<Access, (actor: Actor) => boolean>> = {
  public: () => true,
  // Of the link of a collection, which no account is.
  holder: () => false,
  user: () => true,
  // Only inside their own enterprise; the scope is part of the query.
  'folder-tree': ({ role, accountType }) => role === 'super-admin' || accountType === 'enterprise',
  admin: ({ role }) => role === 'admin' || role === 'super-admin',
  'super-admin': ({ role }) => role === 'super-admin',
}

export const mayAct = (actor: Actor, access: Access): boolean => MAY[access](actor)
