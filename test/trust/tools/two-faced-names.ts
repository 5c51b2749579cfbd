import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded before a process of the service: `127-0-0-2.127-0-0-1.….two-faced.test` leads to the first
 * address when it is asked for, and to the second one from then on; `…and…` leads to both at once.
 */
const asked = new Map<string, number>()

type LookupCallback = (error: Error | null, found: dns.LookupAddress[]) => void

function addressesOf(host: string) {
  const answers = host.split('.').filter((label) => /^\d+(?:-\d+){3}(?:and|$)/.test(label))
  const nth = asked.get(host) ?? 0
  asked.set(host, nth + 1)
  const answer = answers[Math.min(nth, answers.length - 1)]!
  return answer.split('and').map((text) => ({ address: text.replaceAll('-', '.'), family: 4 }))
}

const isTwoFaced = (host: string) => host.endsWith('.two-faced.test')

// Both ways of asking: whoever checked one answer and dialled another would be led inside.
const trueLookup = { promised: dns.promises.lookup, called: dns.lookup }
Object.assign(dns.promises, {
  lookup: (host: string, options: dns.LookupAllOptions) =>
    isTwoFaced(host) ? Promise.resolve(addressesOf(host)) : trueLookup.promised(host, options),
})
Object.assign(dns, {
  lookup(host: string, options: dns.LookupAllOptions, callback: LookupCallback) {
    if (!isTwoFaced(host)) return trueLookup.called(host, options, callback)
    const found = addressesOf(host)
    if (options.all) process.nextTick(callback, null, found)
    else process.nextTick(callback, null, found[0]!.address, found[0]!.family)
  },
})
syncBuiltinESMExports()
