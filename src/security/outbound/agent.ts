import { Agent } from 'undici'

import { createAddressGuard } from './address-guard.ts'
import type { AllowRule } from './allow-list.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import type { Resolve } from './resolve.ts'

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
