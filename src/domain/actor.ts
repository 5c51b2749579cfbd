export const ROLE_TYPES = ['super-admin', 'admin', 'client'] as const
export type RoleType = (typeof ROLE_TYPES)[number]

export const ACCOUNT_TYPES = ['enterprise', 'personal'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** The authenticated caller, as the database knows them at this request. */
export interface Actor {
  readonly id: number
  readonly uuid: string
  readonly email: string
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterprise: ActorEnterprise | null
}

export interface ActorEnterprise {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly accountType: AccountType
}

export const isSuperAdmin = (actor: Actor): boolean => actor.role === 'super-admin'
