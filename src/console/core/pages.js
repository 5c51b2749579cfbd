import { isAbort } from './api.js'
import { useCallback, useEffect, useMemo, useState } from './ui.js'

const PAGE = 100
/** So many pages are held at once; the oldest go first. */
const MOST_PAGES = 60

/** Rows of any number, asked for by pages as they are seen. */
export function usePages(question, inputs) {
  const [, setVersion] = useState(0)
  const [answer, setAnswer] = useState({ total: null, first: null, problem: null })
  const store = useMemo(() => ({ pages: new Map(), asked: new Map() }), inputs)
  const ask = useCallback(
    async (page) => {
      if (store.pages.has(page) || store.asked.has(page)) return
      const stop = new AbortController()
      store.asked.set(page, stop)
      try {
        const found = await question({ page: page + 1, limit: PAGE }, stop.signal)
        store.pages.set(page, found.items)
        if (store.pages.size > MOST_PAGES) store.pages.delete(store.pages.keys().next().value)
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
  const need = useCallback(
    (from, to) => {
      const first = Math.floor(from / PAGE)
      const last = Math.floor((to - 1) / PAGE)
      // What was scrolled past is not waited for.
      for (const [page, stop] of store.asked)
        if (page !== 0 && (page < first || page > last)) stop.abort()
      for (let page = first; page <= last; page++) void ask(page)
    },
    [ask, store],
  )
  const rowAt = (row) => store.pages.get(Math.floor(row / PAGE))?.[row % PAGE]
  const askAgain = () => void ask(0)
  return { ...answer, need, rowAt, askAgain }
}
