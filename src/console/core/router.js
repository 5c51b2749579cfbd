import { signal } from './ui.js'

/** The address behind `#`: `#/sources/UUID/loads?page=2`. */
function readRoute() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

export const route = signal(readRoute())

addEventListener('hashchange', () => {
  route.value = readRoute()
})

export function linkTo(...path) {
  const query = typeof path.at(-1) === 'object' ? path.pop() : {}
  const asked = String(new URLSearchParams(query))
  return `#/${path.map(encodeURIComponent).join('/')}${asked && `?${asked}`}`
}

export function goTo(...path) {
  location.hash = linkTo(...path)
}

/**
 * Says in the address how something is looked at; what is blank falls away. A step that can be gone
 * back is one of its own (`isStep`), what is typed letter by letter is not.
 */
export function lookAt(changes, { isStep = true } = {}) {
  const { path, query } = route.value
  const asked = Object.entries({ ...query, ...changes }).filter(([, value]) => value)
  const hash = linkTo(...path, Object.fromEntries(asked))
  if (hash === location.hash) return
  if (isStep) location.hash = hash
  else {
    history.replaceState(null, '', hash)
    route.value = readRoute()
  }
}
