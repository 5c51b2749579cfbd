import type { IncomingMessage } from 'node:http'

/**
 * Whether the client went away in the middle of the body. Once it has, no event tells of it: whoever begins
 * to read asks, or waits for the rest for ever.
 */
export const isCut = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete
