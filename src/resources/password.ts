/** The rule of the API for new passwords, as a schema. */
export const PASSWORD_LENGTH = { minLength: 12, maxLength: 1024 } as const
