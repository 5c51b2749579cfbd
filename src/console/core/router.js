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

export const linkTo = (...path) => `#/${path.map(encodeURIComponent).join('/')}`

export function goTo(...path) {
  location.hash = linkTo(...path)
}
