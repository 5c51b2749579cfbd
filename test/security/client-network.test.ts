import { expect } from 'chai'

import { networkOf } from '../../src/security/client-network.ts'

describe('the network of a client', () => {
  const SAME: readonly (readonly [why: string, network: string, ...addresses: string[]])[] = [
    ['an IPv4 address stands for itself', '192.0.2.1', '192.0.2.1'],
    [
      'an IPv4 address is the same written as IPv6',
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::ffff:c000:201',
      '0:0:0:0:0:FFFF:192.0.2.1',
    ],
    [
      'the addresses of one /64 are one',
      '2001:db8:0:1::/64',
      '2001:db8:0:1::1',
      '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
      '2001:db8:0:1:0:0:0:0',
    ],
    ['the next /64 is another', '2001:db8:0:2::/64', '2001:db8:0:2::1'],
    ['the zone of an address says nothing', 'fe80:0:0:0::/64', 'fe80::1%eth0', 'fe80::2'],
    ['this machine', '0:0:0:0::/64', '::1'],
    ['what is no address', 'unknown', 'unknown'],
  ]
  for (const [why, network, ...addresses] of SAME) {
    it(`${why}: ${addresses.join(', ')}`, () => {
      for (const address of addresses) expect(networkOf(address)).to.equal(network)
    })
  }
})
