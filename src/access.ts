import type { Actor } from './domain/actor.ts'

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
