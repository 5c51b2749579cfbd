import { until as untilSo } from '../../support/patience.ts'

/** Waits until it is so, and tells how many milliseconds that took. */
export async function until(
  what: string,
  timeoutMs: number,
  isSo: () => Promise<boolean>,
): Promise<number> {
  const begun = performance.now()
  await untilSo(what, isSo, timeoutMs)
  return performance.now() - begun
}
