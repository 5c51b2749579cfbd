import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { cluster } from './cluster.ts'
import { enterprise } from './enterprise.ts'
import { formulaires } from './formulaires.ts'
import { ingest } from './ingest.ts'
import { inspect } from './inspect.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { seed } from './seed.ts'
import { serve } from './serve.ts'
import { sqlUser } from './sql-user.ts'
import { storage } from './storage.ts'
import { token } from './token.ts'
import { user } from './user.ts'
import { worker } from './worker.ts'

export const COMMANDS: readonly ((program: Command, stop: StopRequest) => unknown)[] = [
  token,
  user,
  enterprise,
  sqlUser,
  migrate,
  seed,
  serve,
  keys,
  worker,
  storage,
  cluster,
  formulaires,
  ingest,
  inspect,
]
