import type { ClientBase } from 'pg'

/**
 * What the caller records in the transaction that creates something, so that both exist or neither.
 */
export type Alongside<Made> = (client: ClientBase, made: Made) => Promise<void>
