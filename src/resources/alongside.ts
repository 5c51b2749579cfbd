import type { ClientBase } from 'pg'

/** What its caller records in the transaction that makes something: both are there, or neither is. */
export type Alongside<Made> = (client: ClientBase, made: Made) => Promise<void>
