import type { Command } from 'commander'

import { enterprise } from './enterprise.ts'
import { formulaires } from './formulaires.ts'
import { ingest } from './ingest.ts'
import { inspect } from './inspect.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { seed } from './seed.ts'
import { storage } from './storage.ts'
import { token } from './token.ts'
import { user } from './user.ts'
import { worker } from './worker.ts'

export const COMMANDS: readonly ((program: Command) => unknown)[] = [
  token,
  user,
  enterprise,
  migrate,
  seed,
  keys,
  worker,
  storage,
  formulaires,
  ingest,
  inspect,
]
