export const ACCOUNT_TYPES = ['enterprise', 'personal'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]
