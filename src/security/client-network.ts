import { isIPv6 } from 'node:net'

const GROUPS = 8
const MAPPED = /^0:0:0:0:0:ffff:([\da-f]+):([\da-f]+)$/

/**
 * What one client is told apart from others by: its IPv4 address, however it is written, or the /64
 * of its IPv6 address, in which it can choose any other.
 */
export function networkOf(clientAddress: string): string {
  const [address = ''] = clientAddress.split('%')
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const [, high, low] = MAPPED.exec(groups.join(':')) ?? []
  if (high !== undefined && low !== undefined) return [high, low].flatMap(bytesOf).join('.')
  return `${groups.slice(0, GROUPS / 2).join(':')}::/64`
}

/** The URL parser writes every address in one way, with the longest run of zeros left out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(GROUPS - before!.length - after!.length).fill('0')
  return [...before!, ...zeros, ...after!]
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}
