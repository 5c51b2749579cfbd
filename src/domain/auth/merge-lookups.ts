import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Merges all lookups of single records in one turn of the event loop into one lookup. It begins
 * after the last of them was requested, so that nobody gets an older answer than from a lookup of
 * their own.
 */
export function mergeLookups<T>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  let keys = new Set<string>()
  let found: Promise<ReadonlyMap<string, T>> | null = null

  async function findMerged(): Promise<ReadonlyMap<string, T>> {
    await nextTurn()
    const merged = [...keys]
    keys = new Set()
    found = null
    return findAll(merged)
  }

  return async (key) => {
    keys.add(key)
    found ??= findMerged()
    return (await found).get(key) ?? null
  }
}
