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

export const isSuperAdmin = (actor: Actor): boolean => actor.role === 'super-admin'
