import autocannon from 'autocannon'

export interface Hammered {
  /** Errors, time-outs and refusals. */
  readonly failures: number
  readonly p99Ms: number
  readonly perSecond: number
}

const toHammered = ({ errors, timeouts, non2xx, latency, requests }: autocannon.Result) => ({
  failures: errors + timeouts + non2xx,
  p99Ms: latency.p99,
  perSecond: requests.average,
})

interface HammerOptions {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
}

/** As many requests as so many connections can make in that time. */
export async function hammer({ seconds, token, ...rest }: HammerOptions): Promise<Hammered> {
  const headers = { 'x-app-access-token': token }
  return toHammered(await autocannon({ ...rest, headers, duration: seconds }))
}

const LIGHT = { connections: 4, overallRate: 40, duration: 600 }

/** A little traffic for as long as something else takes. */
export function tapUntil(url: string, token: string, ended: Promise<unknown>): Promise<Hammered> {
  const headers = { 'x-app-access-token': token }
  return new Promise((resolve, reject) => {
    const traffic = autocannon({ ...LIGHT, url, headers }, (error: unknown, seen) => {
      if (error) reject(error)
      else resolve(toHammered(seen))
    })
    void ended.catch(() => undefined).then(() => traffic.stop())
  })
}
