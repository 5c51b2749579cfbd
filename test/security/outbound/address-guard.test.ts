import { expect } from 'chai'

import { createAddressGuard } from '../../../src/security/outbound/address-guard.ts'
import { parseOutboundAllow } from '../../../src/security/outbound/allow-list.ts'

const guard = createAddressGuard([])
const permits = (address: string) => guard.permits({ host: address, address, port: 443 })

describe('address guard', () => {
  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.0.1',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:A9FE:A9FE',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    'not an address',
    '',
  ]) {
    it(`refuses ${address || 'nothing'}`, () => {
      expect(permits(address)).to.equal(false)
    })
  }

  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a01:e0a::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    it(`permits ${address}`, () => {
      expect(permits(address)).to.equal(true)
    })
  }
})

const permitsBy = (entry: string, host: string, address: string, port = 80) =>
  createAddressGuard(parseOutboundAllow([entry])).permits({ host, address, port })

describe('allow-list of the address guard', () => {
  it('lets a named host through to whatever it resolves to, on any port or on its own', () => {
    expect(permitsBy('forms.internal', 'Forms.Internal.', '10.0.0.7', 8080)).to.equal(true)
    expect(permitsBy('forms.internal:8443', 'forms.internal', '10.0.0.7', 8443)).to.equal(true)
    expect(permitsBy('forms.internal:8443', 'forms.internal', '10.0.0.7', 8444)).to.equal(false)
    expect(permitsBy('forms.internal', 'evil.forms.internal', '10.0.0.7')).to.equal(false)
    expect(permitsBy('forms.internal', 'other.example', '10.0.0.7')).to.equal(false)
  })

  it('lets a network through by address, and nothing beside it', () => {
    expect(permitsBy('10.1.0.0/16', 'any.example', '10.1.255.1')).to.equal(true)
    expect(permitsBy('10.1.0.0/16', 'any.example', '::ffff:10.1.2.3')).to.equal(true)
    expect(permitsBy('10.1.0.0/16', 'any.example', '10.2.0.1')).to.equal(false)
    expect(permitsBy('fd12::/16', 'any.example', 'fd12::9')).to.equal(true)
    expect(permitsBy('fd12::/16', 'any.example', 'fd13::9')).to.equal(false)
  })

  it('holds an address with a port to that port', () => {
    expect(permitsBy('127.0.0.1:4010', '127.0.0.1', '127.0.0.1', 4010)).to.equal(true)
    expect(permitsBy('127.0.0.1:4010', '127.0.0.1', '127.0.0.1', 5432)).to.equal(false)
    expect(permitsBy('[::1]:4010', '::1', '::1', 4010)).to.equal(true)
    expect(permitsBy('[::1]:4010', '::1', '::1', 80)).to.equal(false)
    expect(permitsBy('::1', '::1', '::1', 80)).to.equal(true)
    expect(permitsBy('0x7f.1:4010', '127.0.0.1', '127.0.0.1', 4010)).to.equal(true)
  })

  for (const entry of [
    '',
    'http://forms.internal',
    '*.internal',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    'forms.internal/24',
    'host:0',
    'host:65536',
    'host:x',
    'a b',
    '[::1',
    '::1/129',
    'user@host',
    'host?x',
    'host#x',
  ]) {
    it(`refuses '${entry}' and quotes it`, () => {
      expect(() => parseOutboundAllow([entry])).to.throw(`'${entry}' cannot be read`)
    })
  }
})
