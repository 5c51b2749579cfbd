import autocannon from 'autocannon'

export interface HttpLoad {
  readonly perSecond: number
  readonly p99Ms: number
}

/** Asks for one address over and over; fails when a single answer is not a success. */
export async function httpLoad(
  url: string,
  token: string,
  { connections, requests }: { readonly connections: number; readonly requests: number },
): Promise<HttpLoad> {
  const amount = Math.max(connections, Math.round(requests))
  const began = performance.now()
  // autocannon itself ends at a full second only, which would round the time of a short round.
  let lastAnswer = began
  const seen = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(
      { url, connections, amount, headers: { 'x-app-access-token': token } },
      (error: Error | null, result) => (error ? reject(error) : resolve(result)),
    )
    load.on('response', () => {
      lastAnswer = performance.now()
    })
  })
  const failed = seen.non2xx + seen.errors
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`)
  return { perSecond: (amount * 1000) / (lastAnswer - began), p99Ms: seen.latency.p99 }
}
