import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const token = (program: Command, stop: StopRequest) =>
  program
    .command('token')
    .description('Print a token for a user, and nothing else')
    .requiredOption('--email <email>', 'whose token')
    .action(calling(stop, () => import('../actions/token.ts')))
