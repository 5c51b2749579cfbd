/** Names are compared in lower case, without the trailing dot of the root. */
export function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
