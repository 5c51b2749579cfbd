import type { Command } from 'commander'

import { enterprise } from './enterprise.ts'
import { formulaires } from './formulaires.ts'
import { ingest } from './ingest.ts'
import { inspect } from './inspect.ts'
import { migrate } from './migrate.ts'
import { token } from './token.ts'
import { user } from './user.ts'

export const COMMANDS: readonly ((program: Command) => unknown)[] = [
  token,
  user,
  enterprise,
  migrate,
  formulaires,
  ingest,
  inspect,
]
