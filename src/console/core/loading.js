import { isAbort } from './api.js'
import { useCallback, useEffect, useRef, useState } from './ui.js'

/**
 * What a screen shows while it asks, when it is answered and when it is refused. What was shown
 * stays while the same question is asked again.
 */
export function useAnswer(question, inputs) {
  const [state, setState] = useState({ data: null, problem: null, isBusy: true })
  const asked = useRef(0)
  const stop = useRef(null)
  const askAgain = useCallback(async () => {
    stop.current?.abort()
    const own = (stop.current = new AbortController())
    const number = ++asked.current
    setState((before) => ({ ...before, isBusy: true }))
    try {
      const data = await question(own.signal)
      if (number === asked.current) setState({ data, problem: null, isBusy: false })
    } catch (problem) {
      if (number !== asked.current || isAbort(problem)) return
      setState((before) => ({ ...before, problem, isBusy: false }))
    }
  }, inputs)
  useEffect(() => {
    void askAgain()
    return () => stop.current?.abort()
  }, [askAgain])
  return { ...state, askAgain }
}

/** A deed that a button starts: busy while it lasts, its refusal shown where it was asked for. */
export function useDeed() {
  const [state, setState] = useState({ isBusy: false, problem: null })
  const isUnderWay = useRef(false)
  const attempt = useCallback(async (deed) => {
    // A second click that comes before the button is drawn disabled.
    if (isUnderWay.current) return { done: false }
    isUnderWay.current = true
    setState({ isBusy: true, problem: null })
    try {
      const result = await deed()
      setState({ isBusy: false, problem: null })
      return { done: true, result }
    } catch (problem) {
      setState({ isBusy: false, problem: isAbort(problem) ? null : problem })
      return { done: false }
    } finally {
      isUnderWay.current = false
    }
  }, [])
  /** What is wrong with one field of what was sent. */
  const errorAt = (pointer) => state.problem?.at?.(pointer)
  return { ...state, errorAt, attempt }
}
