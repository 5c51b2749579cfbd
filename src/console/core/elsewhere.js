import { useEffect } from './ui.js'

const SOON_MS = 300

/** The other pages of this browser, which are told when something was changed in one of them. */
const pages = new BroadcastChannel(`console.changes ${new URL('.', document.baseURI)}`)

export const tellOthers = () => pages.postMessage('changed')

/** Asks again when something was changed in another page, and when somebody comes back to this one. */
export function useElsewhere(askAgain) {
  useEffect(() => {
    let timer = null
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => document.hidden || askAgain(), SOON_MS)
    }
    pages.addEventListener('message', soon)
    addEventListener('focus', soon)
    return () => {
      clearTimeout(timer)
      pages.removeEventListener('message', soon)
      removeEventListener('focus', soon)
    }
  }, [askAgain])
}
