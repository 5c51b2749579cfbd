import { readdir, readFile } from 'node:fs/promises'

interface Scheduled {
  readonly ranNs: number
  readonly waitedNs: number
}

const NOTHING: Scheduled = { ranNs: 0, waitedNs: 0 }

/**
 * How long something takes, but for what others take of the machine meanwhile: with the share that the
 * service and whoever sends to it got of what they wanted of its processors. On a machine of their own that is all
 * of it; a bound then means the same on a busy one. Where the kernel does not tell, all of the time counts.
 */
export async function startOwnTime(
  service: number | null,
): Promise<(pid: number) => Promise<number>> {
  const begun = performance.now()
  const before = [
    await scheduled(process.pid),
    service === null ? NOTHING : await scheduled(service),
  ]
  return async (pid) => {
    const tookMs = performance.now() - begun
    const after = [await scheduled(process.pid), await scheduled(pid)]
    const grown = (what: keyof Scheduled) =>
      after.reduce((sum, each, at) => sum + Math.max(0, each[what] - before[at]![what]), 0)
    const ranNs = grown('ranNs')
    return ranNs === 0 ? tookMs : (tookMs * ranNs) / (ranNs + grown('waitedNs'))
  }
}

/** Of all threads that the process has; nothing of one that is gone. */
async function scheduled(pid: number): Promise<Scheduled> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => [])
  let { ranNs, waitedNs } = NOTHING
  for (const thread of threads) {
    const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '')
    const [ran = 0, waited = 0] = text.split(' ').map(Number)
    ranNs += ran
    waitedNs += waited
  }
  return { ranNs, waitedNs }
}
