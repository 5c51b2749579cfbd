import { forThisTab, keptIn } from './kept.js'
import { signal } from './ui.js'

const kept = keptIn(forThisTab, 'console.session')

/** Null, or `{ token, expiresAt, user }`. It ends with the tab. */
export const session = signal(kept.read())
/** Why the last one ended, where it was not the person who ended it. */
export const sessionEnd = signal(null)

export function openSession(opened) {
  kept.write(opened)
  sessionEnd.value = null
  session.value = opened
}

export function closeSession(reason = null) {
  kept.write(null)
  sessionEnd.value = reason
  session.value = null
}

const roleOf = () => session.value?.user.role.type
export const isSuperAdmin = () => roleOf() === 'super-admin'
export const isAdmin = () => roleOf() === 'admin' || isSuperAdmin()
export const seesTree = () => isSuperAdmin() || session.value?.user.account_type === 'enterprise'
/** Who belongs to no enterprise says which one something is for. */
export const choosesEnterprise = () => isSuperAdmin() && session.value.user.enterprise === null
