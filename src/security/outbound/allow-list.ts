import { isIP } from 'node:net'

import { canonicalHost } from './canonical-host.ts'

/**
 * An exception to the rule that connections only reach the public internet. A null port means every
 * port.
 */
export type AllowRule =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }
  | {
      readonly kind: 'network'
      readonly address: string
      readonly prefix: number
      readonly port: number | null
    }

class OutboundAllowError extends Error {
  override readonly name = 'OutboundAllowError'
}

/**
 * Parses entries such as `forms.internal`, `forms.internal:8443`, `10.1.2.3`, `127.0.0.1:4010`,
 * `[::1]:4010` and `10.0.0.0/8`. A name allows every address that it resolves to; an address or a
 * network is allowed under any name.
 */
export function parseOutboundAllow(entries: readonly string[]): AllowRule[] {
  return entries.map((entry) => parseEntry(entry.trim()))
}

function parseEntry(entry: string): AllowRule {
  if (entry.includes('://')) throw wrong(entry, 'write the host without a scheme or a path')
  if (entry.includes('/')) return parseNetwork(entry)
  if (isIP(entry) !== 0) return single(entry, null)

  const match = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d+))?$/.exec(entry)
  if (!match) throw wrong(entry, 'write host, host:port or network/prefix')
  const port = match[2] === undefined ? null : parsePort(entry, match[2])
  const host = canonicalSpelling(entry, match[1]!)
  return isIP(host) === 0 ? { kind: 'host', host, port } : single(host, port)
}

function parseNetwork(entry: string): AllowRule {
  const [address = '', prefixText = '', ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0 || address.includes('%')) {
    throw wrong(entry, 'a network is an IP address, a slash and a prefix length')
  }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Infinity
  const longest = family === 4 ? 32 : 128
  if (prefix > longest) throw wrong(entry, `the prefix length is a number from 0 to ${longest}`)
  return { kind: 'network', address, prefix, port: null }
}

function single(address: string, port: number | null): AllowRule {
  return { kind: 'network', address, prefix: isIP(address) === 4 ? 32 : 128, port }
}

function parsePort(entry: string, text: string): number {
  const port = Number(text)
  if (port < 1 || port > 65_535) throw wrong(entry, 'a port is a number from 1 to 65535')
  return port
}

/** Spells the host as a URL does: `0x7f.1` becomes 127.0.0.1, names become punycode. */
function canonicalSpelling(entry: string, host: string): string {
  const address = `http://${host}/`
  if (host.includes('*') || !URL.canParse(address)) {
    throw wrong(
      entry,
      'this is not a host name; wildcards are not supported, use a network instead',
    )
  }
  const url = new URL(address)
  if (url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw wrong(entry, 'write host, host:port or network/prefix')
  }
  return canonicalHost(url.hostname.replace(/^\[|\]$/g, ''))
}

function wrong(entry: string, what: string): OutboundAllowError {
  return new OutboundAllowError(`'${entry}' cannot be read: ${what}`)
}
