import { session } from './session.js'
import { effect, signal } from './ui.js'

/** What was typed and not sent, by the thing that it is for: it waits here while other places are shown. */
const unsent = signal(new Map())

effect(() => {
  if (session.value === null && unsent.peek().size > 0) unsent.value = new Map()
})

addEventListener('beforeunload', (event) => {
  if (unsent.value.size > 0) event.preventDefault()
})

/** As `useState`, but it outlives the screen; null forgets it. */
export function useUnsent(key) {
  const value = unsent.value.get(key) ?? null
  const set = (change) => {
    const next = new Map(unsent.value)
    const changed = typeof change === 'function' ? change(next.get(key) ?? null) : change
    if (changed === null) next.delete(key)
    else next.set(key, changed)
    unsent.value = next
  }
  return [value, set]
}
