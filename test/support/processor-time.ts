const MEASURED_TIMES = 3
/** Short work is measured more often: a collection of the heap may take longer than all of it. */
const MOST_TIMES = 30
const ENOUGH_MICROSECONDS = 50_000
const BATCH_MICROSECONDS = 1_000
const SMALL = 10_000
const LARGE = 10 * SMALL

/** More than in proportion to ten times the input, and far less than to the square of it. */
export const IN_PROPORTION = 30
/** More than no growth at all, and far less than in proportion. */
export const UNCHANGED = 4

/**
 * What this process spends from now on, in microseconds of the processor: others, for which it may have
 * to wait, do not count.
 */
export function processorClock(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
}

/**
 * How many times as much work an input of ten times the length is: about 10 where the work is in
 * proportion to the length, 100 where it is to its square, 1 where the length does not matter.
 */
export async function growthTenfold(work: (length: number) => unknown): Promise<number> {
  // In this order: by the time of the large one, what runs often is compiled.
  const small = await timePerCall(() => work(SMALL))
  const large = await timePerCall(() => work(LARGE))
  return large / small
}

/** The least of several measurements, each of so many calls that it can be told from nothing. */
export async function timePerCall(work: () => unknown): Promise<number> {
  let calls = 1
  const batch = async () => {
    const spent = processorClock()
    for (let call = 0; call < calls; call++) {
      const result = work()
      if (result instanceof Promise) await result
    }
    return spent()
  }
  while ((await batch()) < BATCH_MICROSECONDS) calls *= 2
  let least = Infinity
  let spent = 0
  for (let time = 0; time < MOST_TIMES; time++) {
    if (time >= MEASURED_TIMES && spent > ENOUGH_MICROSECONDS) break
    const measured = await batch()
    spent += measured
    least = Math.min(least, measured)
  }
  return least / calls
}
