import { availableParallelism } from 'node:os'

import type { ClientBase } from 'pg'

import type { Message } from '../core/message.ts'
import { streamMessages } from './stream-messages.ts'

/** How many COPY streams a load should have, and why. */
export interface StreamChoice {
  readonly count: number
  readonly because: Message
}

/** Two backends can keep up with one engine. */
const ELSEWHERE = 2
/** With more of them, they wait for each other's WAL. */
const MOST_HERE = 4

interface ServerState {
  readonly keepsLittleWal: boolean
  readonly isHere: boolean
  readonly busy: number
}

/** Asks the server, which knows best where it is: an address of this machine may lead anywhere. */
const ASK = `
  select current_setting('wal_level') = 'minimal' as "keepsLittleWal",
         coalesce(host(inet_server_addr()) = host(inet_client_addr())
                  or host(inet_server_addr()) in ('127.0.0.1', '::1'), true) as "isHere",
         (select count(*)::integer from pg_stat_activity
          where backend_type = 'client backend' and state = 'active'
            and pid <> pg_backend_pid()) as busy`

/** `said`: the number from the request or the settings. */
export async function chooseStreams(
  client: ClientBase,
  said: number | null,
): Promise<StreamChoice> {
  if (said !== null) return { count: said, because: streamMessages.said() }
  const { rows } = await client.query<ServerState>(ASK)
  return chooseFor(rows[0]!, availableParallelism())
}

/** On a shared machine the engine takes one core, and so does each other active client. */
export function chooseFor(
  { keepsLittleWal, isHere, busy }: ServerState,
  cores: number,
): StreamChoice {
  if (keepsLittleWal) return { count: 1, because: streamMessages.littleWal() }
  if (!isHere) return { count: ELSEWHERE, because: streamMessages.elsewhere() }
  const count = Math.min(MOST_HERE, Math.max(1, cores - 1 - busy))
  return { count, because: streamMessages.here({ cores, busy }) }
}
