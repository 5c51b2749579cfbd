/** What the API holds a new password to, as a schema says it. */
export const PASSWORD_LENGTH = { minLength: 12, maxLength: 1024 } as const
