/** What every new password is held to, whoever chooses it; also as a schema says it. */
export const PASSWORD_LENGTH = { minLength: 12, maxLength: 1024 } as const
