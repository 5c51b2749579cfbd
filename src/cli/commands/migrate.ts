import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'

export const migrate = (program: Command, stop: StopRequest) =>
  program
    .command('migrate')
    .description('Bring the database up to date')
    .action(calling(stop, () => import('../actions/migrate.ts')))
