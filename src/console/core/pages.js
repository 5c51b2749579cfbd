import { isAbort } from './api.js'
import { whenFree, whenTold } from './when-free.js'
import { useCallback, useEffect, useMemo, useRef, useState } from './ui.js'

const PAGE = 100
/** So many pages are held at once; the oldest go first. */
const MOST_PAGES = 60
/** Rows that are asked for before they are seen. */
const AHEAD = 40
/** While somebody scrolls, pages are asked for so often at most. */
const ASK_EVERY_MS = 60
const TRIES = 5
/** Too much at once, or something is away for a moment. */
const PASSING = [429, 503]
const SOON_MS = 1000

/**
 * Rows of any number, asked for by pages as they are seen; `isInTurn`: one after the other, where each costs
 * the service much.
 */
export function usePages(question, inputs, { isInTurn = false } = {}) {
  const [, setVersion] = useState(0)
  const [answer, setAnswer] = useState({ total: null, first: null, problem: null })
  const store = useMemo(
    () => ({ pages: new Map(), asked: new Map(), last: Promise.resolve() }),
    inputs,
  )
  const ask = useCallback(
    async (page) => {
      if (store.pages.has(page) || store.asked.has(page)) return
      const stop = new AbortController()
      store.asked.set(page, stop)
      const turn = isInTurn ? store.last : null
      const answered = (async () => {
        await turn
        stop.signal.throwIfAborted()
        return patiently(() => question({ page: page + 1, limit: PAGE }, stop.signal), stop.signal)
      })()
      store.last = answered.catch(() => undefined)
      try {
        const found = await answered
        store.pages.set(page, found.items)
        // The first stays: it is what one comes back to.
        const [oldest, next] = store.pages.keys()
        if (store.pages.size > MOST_PAGES) store.pages.delete(oldest === 0 ? next : oldest)
        if (page === 0) setAnswer({ total: found.total, first: found, problem: null })
        setVersion((version) => version + 1)
      } catch (problem) {
        if (!isAbort(problem)) setAnswer((before) => ({ ...before, problem }))
      } finally {
        store.asked.delete(page)
      }
    },
    [store],
  )
  useEffect(() => {
    setAnswer({ total: null, first: null, problem: null })
    void ask(0)
    return () => {
      for (const stop of store.asked.values()) stop.abort()
    }
  }, [ask])
  const wanted = useRef(null)
  const timer = useRef(null)
  const askWanted = useCallback(() => {
    timer.current = null
    const [first, last] = wanted.current
    // What was scrolled past is not waited for.
    for (const [page, stop] of store.asked)
      if (page !== 0 && (page < first || page > last)) stop.abort()
    for (let page = first; page <= last; page++) void ask(page)
  }, [ask, store])
  const need = useCallback(
    (from, to) => {
      const end = (answer.total ?? to) - 1
      wanted.current = [
        Math.floor(Math.max(0, from - AHEAD) / PAGE),
        Math.floor(Math.min(end, to + AHEAD) / PAGE),
      ]
      timer.current ??= setTimeout(askWanted, ASK_EVERY_MS)
    },
    [askWanted, answer.total],
  )
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = null
    },
    [askWanted],
  )
  const rowAt = (row) => store.pages.get(Math.floor(row / PAGE))?.[row % PAGE]
  const askAgain = () => {
    setAnswer((before) => ({ ...before, problem: null }))
    void ask(0)
    if (wanted.current !== null) askWanted()
  }
  return { ...answer, need, rowAt, askAgain }
}

function patiently(question, signal) {
  let tried = 0
  const waitOf = (problem) => {
    if (++tried === TRIES || !PASSING.includes(problem.status)) return null
    // What was just scrolled past may still hold the place.
    return tried === 1 ? SOON_MS : (whenTold(problem) ?? SOON_MS)
  }
  return whenFree(question, signal, waitOf)
}
