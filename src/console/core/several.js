import { t } from './language.js'
import { signal } from './ui.js'

/**
 * What is done to several things, one after the other, whatever is shown meanwhile:
 * `{ key, words, done, total, stop }`.
 */
export const severals = signal([])

addEventListener('beforeunload', (event) => {
  if (severals.value.length > 0) event.preventDefault()
})

/**
 * Does to each what one of them is asked for. One that is refused keeps no other from it, and is given
 * back with its refusal: `{ done: [thing], refused: [{ thing, problem }] }`.
 */
export async function doToEach(words, things, each) {
  const key = Symbol('several')
  const stop = new AbortController()
  const done = []
  const refused = []
  const others = () => severals.value.filter((several) => several.key !== key)
  const show = () => {
    const under = { key, words, done: done.length + refused.length, total: things.length }
    severals.value = [...others(), { ...under, stop: () => stop.abort() }]
  }
  try {
    for (const thing of things) {
      if (stop.signal.aborted) break
      show()
      try {
        await each(thing)
        done.push(thing)
      } catch (problem) {
        refused.push({ thing, problem })
        // Whoever is let in no more is asked to sign in.
        if (problem.status === 401) break
      }
    }
  } finally {
    severals.value = others()
  }
  return { done, refused }
}

/** Where a deed is. */
export const wordsOfSeveral = ({ done, total }) => t('several.at', { done, total })
