/** The system may count what one thread spends in steps of some milliseconds. */
const ENOUGH_MICROSECONDS = 25_000
const MOST_TRIES = 5
const SMALL = 10_000
const LARGE = 10 * SMALL

/** More than in proportion to ten times the input, and far less than to the square of it. */
export const IN_PROPORTION = 30
/** More than no growth at all, and far less than in proportion. */
export const UNCHANGED = 4

/**
 * What this thread spends from now on, in microseconds of the processor. Others, for which it may have to
 * wait, do not count, nor do the threads that compile and tidy up beside it.
 */
export function processorClock(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
}

/**
 * How many times as much work an input of ten times the length is: about 10 where the work is in
 * proportion to the length, 100 where it is to its square, 1 where the length does not matter.
 */
export const growthTenfold = (
  work: (length: number) => unknown,
  bound: number = IN_PROPORTION,
): Promise<number> =>
  timesAsMuch(
    () => work(LARGE),
    () => work(SMALL),
    bound,
  )

/**
 * How many times as much work one thing is as the other. It is measured again while it is not below
 * `bound`, since something may have been in the way of every call.
 */
export async function timesAsMuch(
  one: () => unknown,
  other: () => unknown,
  bound: number,
): Promise<number> {
  let leastOfOne = Infinity
  let leastOfOther = Infinity
  for (let tried = 0; tried < MOST_TRIES && !(leastOfOne / leastOfOther < bound); tried++) {
    // In this order: by the time of the one that may be long, what runs often is compiled.
    leastOfOther = Math.min(leastOfOther, await timePerCall(other))
    leastOfOne = Math.min(leastOfOne, await timePerCall(one))
  }
  return leastOfOne / leastOfOther
}

/** Called so often that it can be told from nothing. */
async function timePerCall(work: () => unknown): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    const spent = processorClock()
    for (let call = 0; call < calls; call++) {
      const result = work()
      if (result instanceof Promise) await result
    }
    const microseconds = spent()
    if (microseconds >= ENOUGH_MICROSECONDS) return microseconds / calls
  }
}
