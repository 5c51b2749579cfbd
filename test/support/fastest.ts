const RUNS = 3

/** How long it takes on a machine that does nothing else, in milliseconds. */
export function fastest(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return Math.min(...times)
}
