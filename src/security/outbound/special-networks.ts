/**
 * A network that is not the public internet, from the IANA special-purpose registries. A connection
 * only reaches one if the configuration allows it.
 */
export interface Network {
  readonly address: string
  readonly prefix: number
}

const v4 = (address: string, prefix: number): Network => ({ address, prefix })
const v6 = v4

export const SPECIAL_V4: readonly Network[] = [
  v4('0.0.0.0', 8), // this network; 0.0.0.0 reaches the machine itself
  v4('10.0.0.0', 8), // private
  v4('100.64.0.0', 10), // carrier-grade NAT; some clouds keep their metadata here
  v4('127.0.0.0', 8), // loopback
  v4('168.63.129.16', 32), // Azure's platform address, which only looks public
  v4('169.254.0.0', 16), // link-local; 169.254.169.254 serves cloud metadata
  v4('172.16.0.0', 12), // private
  v4('192.0.0.0', 24), // protocol assignments
  v4('192.0.2.0', 24), // documentation
  v4('192.31.196.0', 24), // AS112
  v4('192.52.193.0', 24), // AMT
  v4('192.88.99.0', 24), // 6to4 relays
  v4('192.168.0.0', 16), // private
  v4('192.175.48.0', 24), // AS112
  v4('198.18.0.0', 15), // benchmarking
  v4('198.51.100.0', 24), // documentation
  v4('203.0.113.0', 24), // documentation
  v4('224.0.0.0', 4), // multicast
  v4('240.0.0.0', 4), // reserved, and broadcast
]

/**
 * IPv6 is public only inside these; everything else (loopback, ULA, link-local, multicast ...) is
 * not.
 */
export const GLOBAL_V6: readonly Network[] = [v6('2000::', 3)]

/** ... except for these, although they are inside. */
export const SPECIAL_V6: readonly Network[] = [
  v6('2001::', 23), // protocol assignments, Teredo among them
  v6('2001:db8::', 32), // documentation
  v6('2002::', 16), // 6to4: carries an IPv4 address that nobody checked
  v6('3fff::', 20), // documentation
]

/**
 * An IPv4 address written as IPv6: mapped, or NAT64 as an IPv6-only host gets it from DNS64. The
 * embedded address decides. The older forms (compatible, translated) are not public at all.
 */
export const V4_IN_V6_PREFIXES = ['::ffff:', '64:ff9b::'] as const
export const V4_IN_V6_PREFIX_LENGTH = 96
