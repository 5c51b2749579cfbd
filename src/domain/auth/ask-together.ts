import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Joins the questions for one record each that come up in one turn of the event loop into a single
 * question for all of them. It goes out after the last of them came up, so that nobody gets an older
 * answer than their own question would have had.
 */
export function askTogether<T>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  let keys = new Set<string>()
  let answers: Promise<ReadonlyMap<string, T>> | null = null

  async function askAll(): Promise<ReadonlyMap<string, T>> {
    await nextTurn()
    const asked = [...keys]
    keys = new Set()
    answers = null
    return ask(asked)
  }

  return async (key) => {
    keys.add(key)
    answers ??= askAll()
    return (await answers).get(key) ?? null
  }
}
