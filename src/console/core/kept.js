/** What a browser may refuse to keep, in private windows for example, is forgotten with the page. */
export function keptIn(storage, key) {
  return {
    read() {
      try {
        return JSON.parse(storage().getItem(key) ?? 'null')
      } catch {
        // Refused, or written by something else.
        return null
      }
    },
    write(value) {
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(value))
      } catch {
        // Refused: it lasts as long as the page.
      }
    },
  }
}

export const forThisTab = () => globalThis.sessionStorage
export const forThisBrowser = () => globalThis.localStorage
