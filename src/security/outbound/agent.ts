import { isIP, type LookupFunction } from 'node:net'

import { Agent, buildConnector } from 'undici'

import { createAddressGuard, type AddressGuard } from './address-guard.ts'
import type { AllowRule } from './allow-list.ts'
import type { Resolve, ResolvedAddress } from './resolve.ts'
import { OutboundError } from './errors.ts'
import { outboundMessages } from './outbound-messages.ts'

interface AgentOptions {
  readonly allow: readonly AllowRule[]
  readonly resolve: Resolve
  readonly requestTimeoutMs: number
  readonly connectionsPerOrigin: number
}

/** Opens guarded connections only. */
export const openAgent = (options: AgentOptions): Agent =>
  new Agent({
    connect: createGuardedConnector({
      guard: createAddressGuard(options.allow),
      resolve: options.resolve,
      connectTimeoutMs: options.requestTimeoutMs,
    }),
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 32 * 1024,
  })

interface GuardedConnectorOptions {
  readonly guard: AddressGuard
  readonly resolve: Resolve
  readonly connectTimeoutMs: number
}

/**
 * Opens every connection of an undici agent. The name is resolved here, once; the checked addresses
 * are handed to the socket, so that a second DNS answer cannot lead it elsewhere. Literal
 * addresses, for which a socket calls no resolver, are checked in the same place.
 */
export function createGuardedConnector({
  guard,
  resolve,
  connectTimeoutMs,
}: GuardedConnectorOptions): buildConnector.connector {
  const vet = async (host: string, port: number): Promise<readonly ResolvedAddress[]> => {
    const family = isIP(host)
    const addresses =
      family === 0 ? await resolveOrFail(resolve, host) : [{ address: host, family }]
    // A forbidden address among public ones is an attempt, not an accident.
    const isPermitted = addresses.every(({ address }) => guard.permits({ host, address, port }))
    if (addresses.length === 0 || !isPermitted) throw leadsNowhere()
    return addresses
  }

  const connect = async (options: buildConnector.Options, callback: buildConnector.Callback) => {
    try {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      const addresses = await vet(host, portOf(options))
      const lookup = answering(addresses)
      buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup })(options, callback)
    } catch (error) {
      callback(error as Error, null)
    }
  }
  return (options, callback) => void connect(options, callback)
}

/** What name servers answer for a name that does not exist or has no address. */
const UNKNOWN_NAME = ['ENOTFOUND', 'ENODATA']

async function resolveOrFail(resolve: Resolve, host: string): Promise<readonly ResolvedAddress[]> {
  try {
    return await resolve(host)
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    if (UNKNOWN_NAME.includes(code)) throw leadsNowhere(cause)
    throw new OutboundError('unreachable', outboundMessages.lookUp(), { cause })
  }
}

/**
 * The same error for an unknown name and for one that leads inside the network: those who can
 * choose addresses must not learn which internal names exist.
 */
const leadsNowhere = (cause?: unknown) =>
  new OutboundError(
    'address-refused',
    outboundMessages.addressRefused(),
    cause === undefined ? {} : { cause },
  )

function portOf({ port, protocol }: buildConnector.Options): number {
  return port ? Number(port) : protocol === 'https:' ? 443 : 80
}

/** A resolver with a fixed answer: the checked addresses. */
function answering(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}
