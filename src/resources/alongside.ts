import type { ClientBase } from 'pg'

/**
 * What the caller records in the transaction that creates something, so that both exist or neither.
 */
export type Alongside<Made> = (client: ClientBase, made: Made) => Promise<void>

/** The same of a change, which the caller knows already. */
export type Recording = (client: ClientBase) => Promise<void>
