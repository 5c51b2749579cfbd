export const ACCOUNT_TYPES = ['enterprise', 'personal'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

export const ROLE_TYPES = ['super-admin', 'admin', 'client'] as const
export type RoleType = (typeof ROLE_TYPES)[number]
