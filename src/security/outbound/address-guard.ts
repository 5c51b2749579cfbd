import { BlockList, isIP } from 'node:net'

import type { AllowRule } from './allow-list.ts'
import { canonicalHost } from './canonical-host.ts'
import {
  GLOBAL_V6,
  SPECIAL_V4,
  SPECIAL_V6,
  V4_IN_V6_PREFIXES,
  V4_IN_V6_PREFIX_LENGTH,
  type Network,
} from './special-networks.ts'

/**
 * Decides which addresses may be contacted. It is asked about every address just before connecting.
 */
export interface AddressGuard {
  /** `host` is the name in the URL, `address` what it resolved to (the same for a literal). */
  permits(target: DialTarget): boolean
}

interface DialTarget {
  readonly host: string
  readonly address: string
  readonly port: number
}

export function createAddressGuard(allowed: readonly AllowRule[]): AddressGuard {
  const isPublic = createPublicAddressTest()
  const networks = allowed
    .filter((rule) => rule.kind === 'network')
    .map((rule) => ({ port: rule.port, contains: createMembership([rule]) }))
  const hosts = allowed.filter((rule) => rule.kind === 'host')

  return {
    permits({ host, address, port }) {
      const bare = withoutZone(address)
      if (isIP(bare) === 0) return false
      return (
        isPublic(bare) ||
        networks.some((rule) => matchesPort(rule.port, port) && rule.contains(bare)) ||
        hosts.some((rule) => matchesPort(rule.port, port) && rule.host === canonicalHost(host))
      )
    },
  }
}

function matchesPort(rule: number | null, port: number): boolean {
  return rule === null || rule === port
}

/** `fe80::1%eth0` is an address too, but block lists do not understand the zone. */
function withoutZone(address: string): string {
  const percent = address.indexOf('%')
  return percent === -1 ? address : address.slice(0, percent)
}

type Membership = (address: string) => boolean

function createPublicAddressTest(): Membership {
  const special = createMembership([...SPECIAL_V4, ...SPECIAL_V6])
  const global = createMembership([
    ...GLOBAL_V6,
    ...V4_IN_V6_PREFIXES.map((prefix) => ({
      address: `${prefix}0.0.0.0`,
      prefix: V4_IN_V6_PREFIX_LENGTH,
    })),
  ])
  return (address) => !special(address) && (isIP(address) === 4 || global(address))
}

/** An IPv4 network also contains the IPv6 spellings of its addresses. */
function createMembership(networks: readonly Network[]): Membership {
  const list = new BlockList()
  for (const { address, prefix } of networks) {
    if (isIP(address) === 6) {
      list.addSubnet(address, prefix, 'ipv6')
      continue
    }
    list.addSubnet(address, prefix, 'ipv4')
    for (const spelling of V4_IN_V6_PREFIXES) {
      list.addSubnet(spelling + address, V4_IN_V6_PREFIX_LENGTH + prefix, 'ipv6')
    }
  }
  return (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}
