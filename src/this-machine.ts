import { isIPv4 } from 'node:net'

/** Whether a host is one of the loopback addresses: nobody elsewhere can be at the other end. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
