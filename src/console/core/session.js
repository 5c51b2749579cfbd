import { askAs } from './api.js'
import { forThisTab, keptIn } from './kept.js'
import { signal } from './ui.js'

const kept = keptIn(forThisTab, 'console.session')

/** Null, or `{ token, expiresAt, user }`. It ends with the last tab. */
export const session = signal(kept.read())
/** Why the last one ended, where it was not the person who ended it. */
export const sessionEnd = signal(null)

/** The other tabs of this browser: they hand the session over, and it ends in all of them. */
const tabs = new BroadcastChannel(`console.session ${new URL('.', document.baseURI)}`)

tabs.addEventListener('message', ({ data: { kind, opened, token } }) => {
  if (kind === 'wanted' && session.value !== null) tell({ kind: 'opened', opened: session.value })
  if (kind === 'opened' && session.value === null) take(opened)
  if (kind === 'closed' && session.value?.token === token) leave(null)
})

const tell = (message) => tabs.postMessage(message)

if (session.value === null) tell({ kind: 'wanted' })

function take(opened) {
  kept.write(opened)
  sessionEnd.value = null
  session.value = opened
}

function leave(reason) {
  kept.write(null)
  sessionEnd.value = reason
  session.value = null
}

export function openSession(opened) {
  take(opened)
  tell({ kind: 'opened', opened })
}

export function closeSession(reason = null) {
  const { token } = session.value ?? {}
  leave(reason)
  tell({ kind: 'closed', token })
}

const roleOf = () => session.value?.user.role.type
export const isSuperAdmin = () => roleOf() === 'super-admin'
export const isAdmin = () => roleOf() === 'admin' || isSuperAdmin()
export const seesTree = () => isSuperAdmin() || session.value?.user.account_type === 'enterprise'
/** Who belongs to no enterprise says which one something is for. */
export const choosesEnterprise = () => isSuperAdmin() && session.value.user.enterprise === null

askAs({
  headers: () => (session.value === null ? {} : { 'x-app-access-token': session.value.token }),
  // A session that ended elsewhere ends here; a wrong password is no session.
  onShutOut: () => session.value !== null && closeSession('expired'),
})
