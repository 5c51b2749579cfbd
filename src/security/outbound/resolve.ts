import { lookup as systemLookup } from 'node:dns/promises'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Returns every address of a name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

export const resolveWithSystem: Resolve = (host) => systemLookup(host, { all: true })
